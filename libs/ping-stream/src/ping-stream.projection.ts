import type pg from 'pg';
import type { FeedEvent } from '#event-store/feed-reader';

/** The subscription that fills table `ping_stream`: its checkpoint's name. */
export const PING_STREAM = 'ping-stream';

/** Who listens on this channel hears of each batch that has been committed. */
export const PING_STREAM_CHANNEL = 'willcall_ping_stream';

export const PING_STREAM_COLUMNS = `position, id, order_id, sequence, ref_id, status, status_code, status_message,
  occurred_at, transaction_id, event_id, listing_id, client_id`;

/**
 * What must stand in `ping_stream`, from the feed (as `f`, to which a condition may be added), the pings that were due with
 * its events and the purchases that these are of. Everything is known by then: an event and its ping are one commit.
 */
export const PING_STREAM_ROWS = `
  select f.position, 'png_' || substr(p.order_id, 5) || '_' || p.sequence as id, p.order_id, p.sequence, p.ref_id,
    p.status, p.status_code, p.status_message, p.occurred_at, p.transaction_id,
    e.data -> 'product' ->> 'event_id' as event_id, e.data -> 'product' ->> 'listing_id' as listing_id, p.client_id
  from feed f
  join pings p on p.order_id = substr(f.stream, 7) and p.position = f.stream_position
  join events e on e.stream = f.stream and e.position = 1
  where f.stream like 'order-%'`;

/**
 * Handles the next events of the feed: adds those that a ping was due with. One subscription does so, in the feed's order,
 * so that positions only grow. The connection should be one for look-ups by key (`byIndex`).
 */
export async function addToPingStream(events: readonly FeedEvent[], tx: pg.ClientBase): Promise<void> {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return;
  await tx.query({ name: 'ping-stream', text: ADD, values: [first.global_position, last.global_position] });
}

const ADD = `
  with added as (
    insert into ping_stream (${PING_STREAM_COLUMNS})
    ${PING_STREAM_ROWS} and f.position between $1 and $2 order by f.position
    returning 1)
  select pg_notify('${PING_STREAM_CHANNEL}', '') where exists (select from added)`;
