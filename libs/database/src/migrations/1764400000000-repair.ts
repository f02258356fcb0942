import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the platform has read, and replays. */
export class Repair1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PLATFORM_READS, REPLAYS, INDEXES, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table platform_reads, replays, replay_items;
      drop index ping_attempts_started_at, ping_stream_occurred_at`);
  }
}

// Not logged: after a crash has emptied it, a few orders that were read seem to drift. `version` is the order's when it was read.
const PLATFORM_READS = `
  create unlogged table platform_reads (
    order_id text primary key,
    version int not null,
    read_at timestamptz(3) not null
  ) with (fillfactor = 70);`;

// Items are removed once they are sent. Those that are left up to number `released` are due and were not tried yet.
const REPLAYS = `
  create table replays (
    id text primary key,
    endpoint text not null,
    selection json not null,
    per_second int not null check (per_second > 0),
    state text not null check (state in ('running', 'paused', 'done', 'cancelled')),
    total int not null,
    sent int not null default 0,
    released int not null default 0,
    next_slot_ms double precision not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    finished_at timestamptz(3)
  );
  create index replays_running on replays (id) where state = 'running';
  create table replay_items (
    replay_id text not null,
    number int not null,
    position bigint not null,
    order_id text not null,
    sequence int not null,
    primary key (replay_id, number)
  );`;

// Both columns grow with their tables. Attempts are read newest first; for the stream a BRIN index is enough.
const INDEXES = `
  create index ping_attempts_started_at on ping_attempts (started_at);
  create index ping_stream_occurred_at on ping_stream using brin (occurred_at) with (autosummarize = on);`;

const GRANTS = `
  grant select, insert, update, delete on platform_reads, replays, replay_items to willcall_app;`;
