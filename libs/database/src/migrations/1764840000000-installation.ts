import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which ENCRYPTION_KEY the database was sealed with, and whether its sample data is still being loaded. */
export class Installation1764840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ENCRYPTION_KEY, SAMPLE_DATA_LOAD]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table sample_data_load; drop table encryption_key');
  }
}

// The role that serves requests can record the first fingerprint and cannot replace it.
const ENCRYPTION_KEY = `
  create table if not exists encryption_key (
    only_row boolean primary key default true check (only_row),
    fingerprint text not null,
    recorded_at timestamptz(3) not null default now()
  );
  grant select, insert on encryption_key to willcall_app;`;

// A row means that a load has begun and not ended. The next start completes it.
const SAMPLE_DATA_LOAD = `
  create table if not exists sample_data_load (
    only_row boolean primary key default true check (only_row),
    begun_at timestamptz(3) not null default now()
  );
  grant select, insert, delete on sample_data_load to willcall_app;`;
