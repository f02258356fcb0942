import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files that jobs write or read, and who works on them. */
export class JobFiles1768070100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [FILES, PARTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table job_file_parts; drop table job_files');
  }
}

// `request` is what an export asks for, sealed, because a condition may name a buyer. `line` is how far an import has come.
const FILES = `
  create table if not exists job_files (
    job_id text primary key references jobs (id) on delete cascade,
    name text not null,
    type text not null,
    in_clear boolean not null,
    request bytea,
    attempt int not null default 0,
    leased_until timestamptz(3),
    line int not null default 0,
    bytes bigint,
    expires_at timestamptz(3)
  );
  grant select, insert, update, delete on job_files to willcall_app;`;

// The parts are compressed or random enough. PostgreSQL need not try.
const PARTS = `
  create table if not exists job_file_parts (
    job_id text not null references job_files (job_id) on delete cascade,
    attempt int not null,
    number int not null,
    content bytea not null,
    primary key (job_id, attempt, number)
  );
  alter table job_file_parts alter column content set storage external;
  grant select, insert, delete on job_file_parts to willcall_app;`;
