import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Comparisons of our books with a provider's list, or with what a client paid. The lines of the other side are kept only while they are
 * compared. `compared_to`: the last reference, or order, of those that are compared. `is_read`: all lines are there.
 */
export class Reconciliations1772350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [RECONCILIATIONS, LINES, DIFFERENCES]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table reconciliation_differences, provider_lines, remittance_lines, reconciliations`);
  }
}

const RECONCILIATIONS = `
  create table if not exists reconciliations (
    id text primary key,
    provider text,
    client_id text,
    from_at timestamptz(3),
    to_at timestamptz(3),
    state text not null default 'running' check (state in ('running', 'done', 'failed')),
    requested_by text not null,
    created_at timestamptz(3) not null,
    attempt int not null default 0,
    leased_until timestamptz,
    read_to timestamptz(3),
    is_read boolean not null default false,
    as_of timestamptz(3),
    compared_to text not null default '',
    matched bigint not null default 0,
    differing int not null default 0,
    error text,
    constraint reconciliations_with_one check ((provider is null) <> (client_id is null))
  );
  create index if not exists reconciliations_running on reconciliations (id) where state = 'running';
  create unique index if not exists reconciliations_daily on reconciliations (provider, from_at, to_at)
    where requested_by = 'system:reconciliation';
  grant select, insert, update, delete on reconciliations to willcall_app`;

const LINES = `
  create table if not exists provider_lines (
    reconciliation_id text not null,
    line_id text not null,
    kind text not null,
    reference text,
    payment text,
    order_id text,
    refund_id text,
    amount_cents bigint not null,
    fee_cents bigint not null,
    currency text not null,
    created_at timestamptz(3) not null
  );
  create index if not exists provider_lines_by_reference on provider_lines (reconciliation_id, reference);
  create table if not exists remittance_lines (
    reconciliation_id text not null,
    number int not null,
    given text,
    is_ref_id boolean not null,
    amount_cents bigint not null,
    paid_on date not null,
    order_id text
  );
  create index if not exists remittance_lines_by_number on remittance_lines (reconciliation_id, number);
  create index if not exists remittance_lines_by_order on remittance_lines (reconciliation_id, order_id);
  grant select, insert, update, delete on provider_lines, remittance_lines to willcall_app`;

const DIFFERENCES = `
  create table if not exists reconciliation_differences (
    reconciliation_id text not null references reconciliations on delete cascade,
    subject text not null,
    kind text not null,
    order_id text,
    reference text,
    ours jsonb,
    theirs jsonb,
    proposal text,
    at timestamptz(3) not null,
    primary key (reconciliation_id, subject)
  );
  create index if not exists reconciliation_differences_by_subject on reconciliation_differences (subject);
  grant select, insert, update, delete on reconciliation_differences to willcall_app`;
