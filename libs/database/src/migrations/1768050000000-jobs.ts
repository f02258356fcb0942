import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs on many orders, what they did to each, and the events that no longer sell. */
export class Jobs1768050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [JOBS, ITEMS, CANCELLED_EVENTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger listings_of_cancelled_events on listings');
    await runner.query('drop function withdraw_listing_of_cancelled_event()');
    await runner.query('drop table job_items; drop table jobs; drop table cancelled_events');
  }
}

const JOBS = `
  create table if not exists jobs (
    id text primary key,
    kind text not null,
    state text not null check (state in ('running', 'paused', 'waiting_for_approval', 'done', 'cancelled', 'failed')),
    arguments json not null,
    note bytea,
    selection json not null,
    total int not null default 0,
    done int not null default 0,
    failed int not null default 0,
    undoes text,
    requested_by text not null,
    requested_at timestamptz(3) not null,
    approved_by text,
    started_at timestamptz(3),
    finished_at timestamptz(3),
    error text
  );
  create index if not exists jobs_running on jobs (id) where state = 'running';
  create index if not exists jobs_finished on jobs (finished_at) where finished_at is not null;
  grant select, insert, update, delete on jobs to willcall_app;`;

// The outcome is written in the transaction that changes the order. \`before\` and \`version\` are for taking the change back.
const ITEMS = `
  create table if not exists job_items (
    job_id text not null references jobs (id) on delete cascade,
    number int not null,
    order_id text not null,
    outcome text check (outcome in ('done', 'refused', 'unchanged')),
    reason text,
    before json,
    version int,
    retry_at timestamptz(3),
    primary key (job_id, number)
  );
  create index if not exists job_items_open on job_items (job_id, number) where outcome is null;
  grant select, insert, update, delete on job_items to willcall_app;`;

// The trigger sees the row only if the writer waits for the run that is beginning, so it takes the lock before it looks. It
// does not run when orders take stock.
const CANCELLED_EVENTS = `
  create table if not exists cancelled_events (
    event_id text primary key,
    job_id text not null,
    cancelled_at timestamptz(3) not null
  );
  grant select, insert, delete on cancelled_events to willcall_app;
  create or replace function withdraw_listing_of_cancelled_event() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(8812731905421);
    if exists (select from cancelled_events where event_id = new.terms ->> 'eventId') then
      new.withdrawn_at := coalesce(new.withdrawn_at, new.updated_at);
    end if;
    return new;
  end $$;
  create or replace trigger listings_of_cancelled_events before insert or update of terms, withdrawn_at on listings
    for each row execute function withdraw_listing_of_cancelled_event();`;
