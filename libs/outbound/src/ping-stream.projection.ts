import type { ClientBase } from 'pg';
import { MONEY_STREAM_COLUMNS, moneyRowsOf } from './money-stream.projection.js';

/** The name of the checkpoint in table `subscriptions`. */
export const PING_STREAM = 'ping-stream';

/** Each committed batch sends a notification on this channel. */
export const PING_STREAM_CHANNEL = 'willcall_ping_stream';

export const PING_STREAM_COLUMNS = `position, id, order_id, sequence, ref_id, status, status_code, status_message,
  occurred_at, transaction_id, event_id, listing_id, client_id`;

// In an imported order, the import is the first event.
const PURCHASE = `position <= 2 and type = 'PurchaseReceived'`;

/**
 * Joins the feed (as `f`), the pings of its events and the orders' purchases. An event and its ping are committed together. Pings of imported
 * orders were sent by another installation, long ago.
 */
export const PING_STREAM_ROWS = pingRowsOf('');

/** @param fence `offset 0` keeps the planner from turning the lookups into a join */
export function pingRowsOf(fence: '' | 'offset 0'): string {
  return `
  select f.position, 'png_' || substr(p.order_id, 5) || '_' || p.sequence as id, p.order_id, p.sequence, p.ref_id,
    p.status, p.status_code, p.status_message, p.occurred_at, p.transaction_id,
    e.data -> 'product' ->> 'event_id' as event_id, e.data -> 'product' ->> 'listing_id' as listing_id, p.client_id
  from feed f
  cross join lateral (
    select * from pings where order_id = substr(f.stream, 7) and position = f.stream_position ${fence}) as p
  cross join lateral (select data from events where stream = f.stream and ${PURCHASE} ${fence}) as e
  where f.stream like 'order-%' and p.imported is not true`;
}

/**
 * Adds the entries of the next feed positions, and what webhooks tell of money, and advances the checkpoint in one statement. Returns whether the feed had new positions.
 * Only one session may call this at a time, so that positions only grow. The checkpoint must exist.
 */
export async function addToPingStream(client: ClientBase, atMost: number): Promise<boolean> {
  const { rows } = await client.query<{ moved: boolean }>({ name: 'ping-stream', text: ADD, values: [atMost] });
  return rows[0]?.moved === true;
}

// If the checkpoint is reset meanwhile, nothing is added. `offset 0` keeps the planner from turning the lookups into a join. The plan
// is made once, perhaps while the tables are empty, and as a join it read all pings for each batch until the next autoanalyze.
const ADD = `
  with checkpoint as (
    select position as after, least(position + $1, (select coalesce(max(position), 0) from feed)) as up_to
    from subscriptions where name = '${PING_STREAM}'),
  moved as (
    update subscriptions set position = up_to, updated_at = now() from checkpoint
    where name = '${PING_STREAM}' and position = after and up_to > after returning after, up_to),
  added as (
    insert into ping_stream (${PING_STREAM_COLUMNS})
    ${pingRowsOf('offset 0')} and f.position > (select after from moved) and f.position <= (select up_to from moved)
    order by f.position returning 1),
  added_money as (
    insert into money_stream (${MONEY_STREAM_COLUMNS})
    ${moneyRowsOf('offset 0')} and f.position > (select after from moved) and f.position <= (select up_to from moved)
    order by f.position returning 1)
  select exists (select from moved) as moved,
    case when exists (select from added) or exists (select from added_money) then pg_notify('${PING_STREAM_CHANNEL}', '')::text end`;
