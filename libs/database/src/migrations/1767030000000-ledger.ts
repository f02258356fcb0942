import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Signed heads of the feed and the audit log, and the sealed keys that signed them. */
export class Ledger1767030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [LEDGER, LEDGER_KEYS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ledger_keys; drop table ledger');
  }
}

// The positions are those of the feed and of the audit log.
const LEDGER = `
  create table if not exists ledger (
    position bigint not null,
    head bytea not null,
    audit_position bigint not null,
    audit_hash bytea not null,
    chained_at timestamptz(3) not null,
    mac bytea not null,
    primary key (position, audit_position)
  );
  create or replace trigger ledger_is_kept before update or delete on ledger for each row execute function refuse_change();
  create or replace trigger ledger_stays before truncate on ledger execute function refuse_change();
  grant select, insert on ledger to willcall_app;`;

// Updated when ENCRYPTION_KEY changes: the keys are sealed anew.
const LEDGER_KEYS = `
  create table if not exists ledger_keys (
    id text primary key,
    sealed bytea not null,
    created_at timestamptz(3) not null default now()
  );
  grant select, insert, update on ledger_keys to willcall_app;`;
