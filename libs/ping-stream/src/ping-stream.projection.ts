import type { ClientBase } from 'pg';

/** What fills table `ping_stream`: the name of its checkpoint in table `subscriptions`. */
export const PING_STREAM = 'ping-stream';

/** Who listens on this channel hears of each batch that has been committed. */
export const PING_STREAM_CHANNEL = 'willcall_ping_stream';

export const PING_STREAM_COLUMNS = `position, id, order_id, sequence, ref_id, status, status_code, status_message,
  occurred_at, transaction_id, event_id, listing_id, client_id`;

/**
 * What must stand in `ping_stream`, from the feed (as `f`, to which a condition may be added), the pings that were due with
 * its events and the purchases that these are of. Everything is known by then: an event and its ping are one commit.
 */
export const PING_STREAM_ROWS = rowsOf('');

function rowsOf(fence: '' | 'offset 0'): string {
  return `
  select f.position, 'png_' || substr(p.order_id, 5) || '_' || p.sequence as id, p.order_id, p.sequence, p.ref_id,
    p.status, p.status_code, p.status_message, p.occurred_at, p.transaction_id,
    e.data -> 'product' ->> 'event_id' as event_id, e.data -> 'product' ->> 'listing_id' as listing_id, p.client_id
  from feed f
  cross join lateral (
    select * from pings where order_id = substr(f.stream, 7) and position = f.stream_position ${fence}) as p
  cross join lateral (select data from events where stream = f.stream and position = 1 ${fence}) as e
  where f.stream like 'order-%'`;
}

/**
 * Adds what a ping was due with of the next positions of the feed, in one statement with the checkpoint. Returns whether there
 * was anything to look at. Only one session may do so at a time, so that positions only grow (`PingStreamWriter`); it should
 * be one for look-ups by key (`byIndex`), and the checkpoint must be there.
 */
export async function addToPingStream(client: ClientBase, atMost: number): Promise<boolean> {
  const { rows } = await client.query<{ moved: boolean }>({ name: 'ping-stream', text: ADD, values: [atMost] });
  return rows[0]?.moved === true;
}

// Should the checkpoint be put back meanwhile, nothing is moved and so nothing is added. Each position of the feed is looked up by
// itself (`offset 0` keeps the planner from turning that into a join): the plan is made once, perhaps while the tables are empty,
// and as a join it went through all pings for each batch until the next autoanalyze.
const ADD = `
  with checkpoint as (
    select position as after, least(position + $1, (select coalesce(max(position), 0) from feed)) as up_to
    from subscriptions where name = '${PING_STREAM}'),
  moved as (
    update subscriptions set position = up_to, updated_at = now() from checkpoint
    where name = '${PING_STREAM}' and position = after and up_to > after returning after, up_to),
  added as (
    insert into ping_stream (${PING_STREAM_COLUMNS})
    ${rowsOf('offset 0')} and f.position > (select after from moved) and f.position <= (select up_to from moved)
    order by f.position returning 1)
  select exists (select from moved) as moved,
    case when exists (select from added) then pg_notify('${PING_STREAM_CHANNEL}', '')::text end`;
