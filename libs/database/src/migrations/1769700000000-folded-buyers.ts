import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Digests of first and full names, and which orders an earlier version has folded. It runs while purchases go on. */
export class FoldedBuyers1769700000000 implements MigrationInterface {
  // Indexes that are made while purchases go on cannot be made in a transaction.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, RIGHTS, FUNCTION, TRIGGER]) await runner.query(sql);
    for (const [name, definition] of Object.entries(INDEXES)) {
      // An attempt that was interrupted leaves an invalid index.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${definition}`);
    }
    for (const name of REPLACED) await runner.query(`drop index concurrently if exists ${name}`);
  }

  async down(): Promise<void> {
    throw new Error('Indexes were replaced: this migration has no way back.');
  }
}

// `folded_at` is null until the buyer of the row was folded as `buyer-folding.ts` says.
const COLUMNS = `
  alter table personal_data_keys add column if not exists first_name_digest bytea,
    add column if not exists full_name_digest bytea, add column if not exists folded_at timestamptz(3)`;

const RIGHTS = `
  grant update (first_name_digest, full_name_digest, folded_at) on personal_data_keys to willcall_app`;

// Processes of the version before correct buyers too, and do not know the column: their orders are folded again.
const FUNCTION = `
  create or replace function forget_folding() returns trigger language plpgsql as $$
  begin
    new.folded_at := null;
    return new;
  end $$`;

const TRIGGER = `
  create or replace trigger forget_folding
  before update of email_digest, phone_digest, last_name_digest, other_digests on personal_data_keys
  for each row when (new.folded_at is not distinct from old.folded_at)
  execute function forget_folding()`;

const INDEXES: Readonly<Record<string, string>> = {
  personal_data_of_last_name: 'personal_data_keys (last_name_digest, placed_at) where last_name_digest is not null',
  personal_data_of_first_name: 'personal_data_keys (first_name_digest, placed_at) where first_name_digest is not null',
  personal_data_of_full_name: 'personal_data_keys (full_name_digest, placed_at) where full_name_digest is not null',
  personal_data_to_fold: 'personal_data_keys (order_id) where folded_at is null',
};

const REPLACED = ['personal_data_last_name', 'personal_data_unfilled'];
