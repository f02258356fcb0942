import type { Pool } from 'pg';

/**
 * Leaves as many orders with a due ping each as if the api had taken them while no worker ran: their events, the outbox
 * rows that are to come into the feed, and their pings, copied from a wholesale purchase that the api took.
 */
export async function addPingBacklog(owner: Pool, orders: number): Promise<void> {
  const { rows } = await owner.query<{ pings: number }>(BACKLOG, [orders]);
  if (rows[0]?.pings !== orders) throw new Error('There is no wholesale purchase with one ping to copy.');
}

// Ids in order of time, as the api's are.
const BACKLOG = `
  with model as (select id from orders where variant = 'wholesale' order by id limit 1),
  fresh as materialized (
    select 'ord_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
      || substr(md5(random()::text), 1, 20) as id
    from generate_series(1, $1)),
  logged as (
    insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
    select 'order-' || fresh.id, position, 'evt_' || substr(md5(random()::text), 1, 32), type, data, metadata,
      clock_timestamp(), hash
    from model join events on stream = 'order-' || model.id cross join fresh
    returning stream, position, recorded_at),
  outgoing as (
    insert into outbox (stream, stream_position, recorded_at)
    select stream, position, recorded_at from logged order by stream, position),
  due as (
    insert into pings (order_id, sequence, position, client_id, ref_id, status, status_code, status_message, occurred_at,
      transaction_id, due_since, next_try_at)
    select fresh.id, sequence, position, client_id, ref_id, status, status_code, status_message, clock_timestamp(),
      transaction_id, clock_timestamp(), clock_timestamp()
    from model join pings on order_id = model.id cross join fresh
    returning 1)
  select count(*)::int as pings from due`;
