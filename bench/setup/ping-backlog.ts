import type { Pool } from 'pg';

/**
 * Adds orders with one due ping each, as the api leaves them while no worker runs: events, outbox rows and pings. They are
 * copies of a wholesale purchase that the api accepted.
 */
export async function addPingBacklog(owner: Pool, orders: number): Promise<void> {
  const { rows } = await owner.query<{ pings: number }>(BACKLOG, [orders]);
  if (rows[0]?.pings !== orders) throw new Error('There is no wholesale purchase with one ping to copy.');
}

// Ordered by time, like the api's ids.
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
