import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When somebody last proved who they are, recovery codes, and the mails about changes of an account. */
export class FreshProofs1771100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SESSIONS, RECOVERY_CODES, ACCOUNT_MAILS, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table account_mails, recovery_codes');
    await runner.query('alter table sessions drop column proven_at, drop column browser');
  }
}

// Signing in is a proof too: `proven_at` is null until there is a later one.
const SESSIONS = `
  alter table sessions
    add column if not exists proven_at timestamptz(3),
    add column if not exists browser text`;

// Those that were not used yet.
const RECOVERY_CODES = `
  create table if not exists recovery_codes (
    operator_id text not null references operators (id),
    digest bytea not null,
    primary key (operator_id, digest)
  )`;

// A row is a mail that was not sent yet. It has the address itself, because the operator may have another one by now.
const ACCOUNT_MAILS = `
  create table if not exists account_mails (
    id text primary key,
    email text not null,
    change text not null,
    at timestamptz(3) not null,
    by_self boolean not null,
    lease_until timestamptz(3)
  )`;

const RIGHTS = `
  grant select, insert, delete on recovery_codes to willcall_app;
  grant select, insert, update, delete on account_mails to willcall_app;`;
