import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each event moves between accounts: one row for each event that moves money, written with it. The database itself checks that the amounts
 * add up to 0. A worker fills in the events of before (`ledger_filling`).
 */
export class LedgerEntries1772100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SUM, TABLE, FILLING]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ledger_filling; drop table ledger_entries; drop function adds_up(bigint[])');
  }
}

// A constraint cannot hold a sum over rows, and a rebuild, which swaps tables, would lose a trigger. A function in SQL would be planned anew
// for each statement.
const SUM = `
  create or replace function adds_up(amounts bigint[]) returns boolean language plpgsql immutable as $$
  declare
    total bigint := 0;
    amount bigint;
  begin
    foreach amount in array amounts loop
      total := total + amount;
    end loop;
    return total = 0;
  end $$`;

// The index finds a period. It costs an append almost nothing, and one over accounts would cost as much as the row.
const TABLE = `
  create table if not exists ledger_entries (
    stream text not null,
    position int not null,
    currency text not null,
    accounts text[] not null,
    amounts bigint[] not null,
    recorded_at timestamptz(3) not null,
    primary key (stream, position),
    constraint ledger_entries_add_up check (adds_up(amounts)),
    constraint ledger_entries_have_accounts check (
      cardinality(accounts) > 0 and cardinality(accounts) = cardinality(amounts)
        and array_position(accounts, null) is null and array_position(amounts, null) is null)
  );
  create index if not exists ledger_entries_recorded_at on ledger_entries using brin (recorded_at) with (autosummarize = on);
  grant select, insert on ledger_entries to willcall_app`;

// An installation without events has nothing to fill in.
const FILLING = `
  create table if not exists ledger_filling (
    singleton boolean primary key default true check (singleton),
    read_to text not null default '',
    done_at timestamptz(3)
  );
  insert into ledger_filling (done_at) select case when not exists (select from events) then now() end on conflict do nothing;
  grant select, update on ledger_filling to willcall_app`;
