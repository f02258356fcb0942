import type { MigrationInterface, QueryRunner } from 'typeorm';

const ORDERS_AT_ONCE = 5_000;

/**
 * The next action of orders, when it began, and what the platform reads of transferred tickets. A null is `done` and `nobody`, so only open
 * orders have to be filled in. `action_since` is null where the action began with the last status.
 */
export class DeliveryBySeat1772370100000 implements MigrationInterface {
  // Between the batches other sessions go on changing orders.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, CLOCKS, SOURCES, WAITING]) await runner.query(sql);
    for (let after: string | null = ''; after !== null;) {
      const rows = (await runner.query(FILL, [after, ORDERS_AT_ONCE])) as readonly { last: string | null }[];
      after = rows[0]?.last ?? null;
    }
    // The worker works all due times out again.
    await runner.query(`update subscriptions set position = -1 where name = 'work-queues'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table transfer_sources;
      drop index work_items_waiting;
      update orders set queue = 'to_deliver' where queue = 'waiting';
      update work_items set queue = 'to_deliver' where queue = 'waiting';
      alter table orders drop column next_action, drop column acts, drop column action_since, drop column sealed_claims;
      alter table work_clocks drop column retransfer_hours, drop column reenter_hours`);
  }
}

const COLUMNS = `
  alter table orders add column if not exists next_action text, add column if not exists acts text,
    add column if not exists action_since timestamptz(3), add column if not exists sealed_claims jsonb`;

const CLOCKS = `
  alter table work_clocks add column if not exists retransfer_hours int not null default 4,
    add column if not exists reenter_hours int not null default 2`;

const SOURCES = `
  create table if not exists transfer_sources (
    place int not null,
    id text primary key,
    name text not null
  );
  insert into transfer_sources (place, id, name) values
    (1, 'ticketmaster', 'Ticketmaster'), (2, 'axs', 'AXS'), (3, 'seatgeek', 'SeatGeek'), (4, 'mlb', 'MLB Ballpark'),
    (5, 'paciolan', 'Paciolan'), (6, 'tickets_com', 'Tickets.com'), (7, 'dice', 'DICE'), (8, 'email', 'E-mail'),
    (9, 'other', 'Other')
  on conflict do nothing;
  grant select, insert, update, delete on transfer_sources to willcall_app`;

// Orders that wait for others are in no queue until they are overdue. Only the worker writes work_items, so nobody else waits.
const WAITING = `
  create index if not exists work_items_waiting on work_items (due_at) where queue = 'waiting' and place is null`;

// What the fold makes of the events of earlier versions, in which nobody transferred tickets. $1: the id after which to go on, $2: how many.
const FILL = `
  with batch as (select id from orders where id > $1 and queue is not null order by id limit $2),
  known as (
    select o.id, o.queue, o.status, o.status_code, o.seller, o.purchase -> 'delivery_method' ->> 'type' as type,
      o.purchase -> 'fulfillment' ->> 'type' as fulfillment, o.summary -> 'replacement' ->> 'state' as replacement,
      files.has_any, case when not files.has_any and files.last_removed > began.at then files.last_removed end as removed_at,
      o.status = 'exception' and exists (select from events e where e.stream = 'order-' || o.id
        and e.type in ('TicketsShipped', 'TicketsDelivered') and e.position > coalesce((select max(r.position) from events r
          where r.stream = 'order-' || o.id and r.type = 'ReplacementAccepted'), 0)) as was_sent
    from batch join orders o using (id)
    cross join lateral (select coalesce((select h.recorded_at from status_history h where h.order_id = o.id
      order by h.sequence desc limit 1), o.updated_at) as at) as began
    cross join lateral (select coalesce(bool_or(t.withdrawn_at is null), false) as has_any, max(t.withdrawn_at) as last_removed
      from order_tickets t where t.order_id = o.id) as files),
  delivered as (
    select known.*, case
      when status = 'pending' then 'confirm'
      when type = 'ship' then case when status_code <> 4004 and (was_sent or fulfillment = 'ship') then null else 'enter_tracking' end
      when was_sent then null
      when type = 'transfer' then case when fulfillment is null then 'transfer' end
      when type = 'will_call' then 'wait_for_pickup'
      when fulfillment is not null or has_any then null
      else 'upload_tickets' end as next_action
    from known),
  filled as (
    update orders o set next_action = d.next_action,
      queue = case when d.status in ('pending', 'exception') then d.queue when d.next_action is null then null
        when d.next_action = 'wait_for_pickup' then 'waiting' else d.queue end,
      acts = case
        when d.status = 'exception' then case when d.replacement = 'open' then 'buyer' else 'staff' end
        when d.next_action is null then null
        when d.queue = 'review' then 'staff'
        when d.next_action = 'wait_for_pickup' then 'buyer'
        when d.seller is null then 'staff' else 'seller' end,
      action_since = case when d.status = 'confirmed' and d.next_action = 'upload_tickets' then d.removed_at end
    from delivered d where o.id = d.id)
  select max(id) as last from batch`;
