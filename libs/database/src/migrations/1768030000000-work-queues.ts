import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work queues: the open orders with their clocks, what staff snooze, and queues of one's own. */
export class WorkQueues1768030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [WORK_ITEMS, COUNTS, CHANGES, SNOOZES, OWN_QUEUES, RIGHTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('Snoozes and queues of one’s own would be lost: this migration has no way back.');
  }
}

// An open order has one row. The worker fills the table from the feed and drops nothing of its own here: it can be rebuilt at any time.
// queue: where its status puts it. place: the queue that shows it, which is `overdue` from due_at on, and null while it is snoozed.
// due_at is infinite if nothing limits the order. The times are those of the settings, which the worker writes to work_clocks.
const WORK_ITEMS = `
  create table if not exists work_items (
    order_id text primary key,
    queue text not null,
    place text,
    seller text,
    since timestamptz(3) not null,
    due_at timestamptz(3) not null,
    snoozed_until timestamptz(3)
  );
  create index if not exists work_items_place on work_items (place, due_at, order_id) where place is not null;
  create index if not exists work_items_seller on work_items (seller, place, due_at, order_id)
    where seller is not null and place is not null;
  create index if not exists work_items_snoozed on work_items (snoozed_until) where snoozed_until is not null;
  create table if not exists work_clocks (
    only_row boolean primary key default true check (only_row),
    review_minutes int not null default 60,
    exception_minutes int not null default 1440,
    ship_hours int not null default 72,
    deliver_hours int not null default 24
  );
  insert into work_clocks default values on conflict do nothing;`;

/** Keeps the counts in step with each statement, so that a count reads a few rows, however many orders are open. */
const counting = (operation: string, tables: string, changed: string) => `
  create or replace function count_work_items_${operation}() returns trigger language plpgsql as $$
  begin
    insert into work_counts as c (place, seller, count)
      select place, coalesce(seller, ''), sum(change) from (${changed}) as changed
      where place is not null group by 1, 2 having sum(change) <> 0 order by 1, 2
      on conflict (place, seller) do update set count = c.count + excluded.count;
    return null;
  end $$;
  create or replace trigger work_items_${operation} after ${operation} on work_items referencing ${tables}
    for each statement execute function count_work_items_${operation}();`;

const added = 'select place, seller, 1 as change from new_items';
const removed = 'select place, seller, -1 as change from old_items';

// An empty seller counts the orders without one.
const COUNTS = `
  create table if not exists work_counts (
    place text not null,
    seller text not null,
    count bigint not null,
    primary key (place, seller)
  ) with (fillfactor = 50);
  ${counting('insert', 'new table as new_items', added)}
  ${counting('delete', 'old table as old_items', removed)}
  ${counting('update', 'old table as old_items new table as new_items', `${added} union all ${removed}`)}`;

// Clocks follow the date of the event and what its listing says. A purchase changes neither, so it fires no trigger.
const CHANGES = `
  create table if not exists work_changes (
    id bigint generated always as identity primary key,
    event_id text,
    listing_id text
  );
  create or replace function note_moved_event() returns trigger language plpgsql as $$
  begin
    insert into work_changes (event_id) values (new.id::text);
    return null;
  end $$;
  create or replace function note_new_events() returns trigger language plpgsql as $$
  begin
    insert into work_changes (event_id)
      select id::text from new_events where exists (select from orders where orders.event_id = new_events.id::text);
    return null;
  end $$;
  create or replace function note_listing_clock() returns trigger language plpgsql as $$
  begin
    insert into work_changes (listing_id) values (new.id);
    return null;
  end $$;
  create or replace trigger work_follows_events after update of datetime_utc on discovery_events
    for each row when (old.datetime_utc is distinct from new.datetime_utc) execute function note_moved_event();
  create or replace trigger work_follows_new_events after insert on discovery_events referencing new table as new_events
    for each statement execute function note_new_events();
  create or replace trigger work_follows_listings after update of terms on listings
    for each row when ((old.terms ->> 'inHandAt', old.terms ->> 'shipWithinMinutes')
      is distinct from (new.terms ->> 'inHandAt', new.terms ->> 'shipWithinMinutes'))
    execute function note_listing_clock();`;

// A snooze is beside the order, like its tags. It counts only in the queue in which it was made.
const SNOOZES = `
  alter table order_desk add column if not exists snoozed_until timestamptz(3),
    add column if not exists snoozed_at timestamptz(3), add column if not exists snoozed_in text`;

// The condition is sealed, because it may name a buyer.
const OWN_QUEUES = `
  create table if not exists own_queues (
    id text primary key,
    name text not null,
    condition bytea not null,
    due_field text not null,
    due_minutes int not null,
    created_at timestamptz(3) not null
  )`;

const RIGHTS = `
  grant select, insert, update, delete on work_items, work_counts, work_changes, own_queues to willcall_app;
  grant select, update on work_clocks to willcall_app;
  grant usage on all sequences in schema public to willcall_app;`;
