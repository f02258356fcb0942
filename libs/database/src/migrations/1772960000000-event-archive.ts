import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The texts of old events may lie in files. The log keeps each event's row, so nothing else changes for it. */
export class EventArchive1772960000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ARCHIVE, APPEND_ONLY, RIGHTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('Archived events are nowhere else: this migration has no way back.');
  }
}

// `start` and `bytes` are the place of the line in the file, `events` and `head` its last position and hash.
const ARCHIVE = `
  create table if not exists archived_segments (
    key text primary key,
    first_stream text not null,
    last_stream text not null,
    streams int not null,
    events int not null,
    bytes bigint not null,
    sha256 bytea not null,
    merkle_root bytea not null,
    archived_at timestamptz not null default now()
  );
  create table if not exists archived_streams (
    stream text primary key,
    segment text not null references archived_segments,
    start bigint not null,
    bytes int not null,
    events int not null,
    head bytea not null
  );
  create index if not exists archived_streams_segment on archived_streams (segment, start)`;

// The owner may take the texts of an event away once the archive has it, and nothing else. The application may not change any row.
const APPEND_ONLY = `
  create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and starts_with(tg_table_name, 'events') then
      if new.metadata::text = 'null' and old.metadata::text <> 'null'
        and (new.stream, new.position, new.event_id, new.type, new.recorded_at, new.hash)
          is not distinct from (old.stream, old.position, old.event_id, old.type, old.recorded_at, old.hash)
        and exists (
          select from public.archived_streams a where a.stream = new.stream and a.events >= new.position) then
        return new;
      end if;
    end if;
    raise exception '% is append only', tg_table_name using errcode = 'WC002';
  end $$`;

const RIGHTS = 'grant select on archived_segments, archived_streams to willcall_app';
