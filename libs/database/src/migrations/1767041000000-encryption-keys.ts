import type { MigrationInterface, QueryRunner } from 'typeorm';

/** ENCRYPTION_KEY can be changed: several keys at a time, and everything can be sealed anew. */
export class EncryptionKeys1767041000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [KEYS, RIGHTS, KINDS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('Values may be sealed with a newer key: this migration has no way back.');
  }
}

// The table before, with its only row, stays for processes of the release before.
const KEYS = `
  create table if not exists encryption_keys (
    fingerprint text primary key,
    recorded_at timestamptz(3) not null default now(),
    retired_at timestamptz(3)
  );
  insert into encryption_keys (fingerprint, recorded_at) select fingerprint, recorded_at from encryption_key
    on conflict do nothing;`;

const RIGHTS = `
  grant select, insert, update (retired_at) on encryption_keys to willcall_app;
  grant update (key) on personal_data_keys to willcall_app;`;

// Each kind is a word of the code, so no list of them is repeated here.
const KINDS = 'alter table maintenance_runs drop constraint if exists maintenance_runs_kind_check';
