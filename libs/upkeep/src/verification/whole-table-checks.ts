import { WORK_QUEUES } from '#desk/work-item-lock';
import { WRONG_ITEMS } from '#desk/work-item-statements';
import { IS_EVENT_BORN } from '#orders/money-tasks.projection';
import { MONEY_STREAM_ROWS } from '#outbound/money-stream.projection';
import { PING_STREAM, PING_STREAM_ROWS } from '#outbound/ping-stream.projection';
import type { Kind } from '../differences.js';

/** The query must return no row. Its columns are `id` and, if there is a place, `at`. */
export type WholeTableCheck = Readonly<{ kind: Kind; problem: string; sql: string }>;

const hasNoEvents = (order: string) => `not exists (select from events e where e.stream = 'order-' || ${order})`;

const isInLog = (row: string) =>
  `exists (select from events e where e.stream = ${row}.stream and e.position = ${row}.stream_position)`;

/** Rows without a stream, and rules over all rows. The replay of each stream checks the rules of single orders. */
export const WHOLE_TABLE_CHECKS: readonly WholeTableCheck[] = [
  {
    kind: 'archive',
    problem: 'the last archived event is not that of the log',
    sql: `select a.stream as id, a.events as at from archived_streams a
      left join events e on e.stream = a.stream and e.position = a.events
      where e.hash is distinct from a.head`,
  },
  {
    kind: 'feed',
    problem: 'the event is neither in the feed nor in the outbox',
    sql: `select stream as id, position as at from events e
      where not exists (select from feed f where f.stream = e.stream and f.stream_position = e.position)
        and not exists (select from outbox o where o.stream = e.stream and o.stream_position = e.position)`,
  },
  {
    kind: 'feed',
    problem: 'the event is in the feed or the outbox more than once',
    sql: `select stream as id, stream_position as at
      from (select stream, stream_position from feed union all select stream, stream_position from outbox) as entered
      group by stream, stream_position having count(*) > 1`,
  },
  {
    kind: 'feed',
    problem: 'the feed has an event that the log does not have',
    sql: `select stream as id, stream_position as at from feed where not ${isInLog('feed')}`,
  },
  {
    kind: 'feed',
    problem: 'the outbox has an event that the log does not have',
    sql: `select stream as id, stream_position as at from outbox where not ${isInLog('outbox')}`,
  },
  {
    kind: 'feed',
    problem: 'the feed has a hole before this position',
    sql: `select 'feed' as id, position as at
      from (select position, lag(position, 1, 0::bigint) over (order by position) as before from feed) as positions
      where position <> before + 1`,
  },
  {
    kind: 'feed',
    problem: 'the event comes before an earlier one of its stream',
    // Everything in the outbox comes after the feed.
    sql: `select stream as id, stream_position as at from (
        select stream, stream_position, place, lag(place) over (partition by stream order by stream_position) as before
        from (select stream, stream_position, (0, position) as place from feed
          union all select stream, stream_position, (1, id) from outbox) as entered) as places
      where place < before`,
  },
  {
    kind: 'audit',
    problem: 'the entry was changed, or one before it was removed',
    // The same hash as in the function append_audit.
    sql: `select id, position as at from (
        select id, position, hash, sha256(coalesce(lag(hash) over (order by position), sha256(''))
          || convert_to(id || entry, 'UTF8')) as expected
        from audit_log) as chained
      where hash <> expected`,
  },
  {
    kind: 'audit',
    problem: 'an entry is missing before this position',
    sql: `select id, position as at
      from (select id, position, lag(position, 1, 0::bigint) over (order by position) as before from audit_log) as positions
      where position <> before + 1`,
  },
  {
    kind: 'audit',
    problem: 'the columns differ from the entry',
    sql: `select id, position as at from audit_log cross join lateral (select entry::jsonb as said) as parsed
      where (said ->> 'id', said ->> 'actor', said ->> 'action', said ->> 'subject') is distinct from (id, actor, action, subject)
        or (said ->> 'at')::timestamptz is distinct from at`,
  },
  {
    kind: 'orders',
    problem: 'the row has no events',
    sql: `select id from orders where ${hasNoEvents('orders.id')}`,
  },
  ...(['status_history', 'pings'] as const).map((kind) => ({
    kind,
    problem: 'the row has no events',
    sql: `select order_id as id, sequence as at from ${kind} where ${hasNoEvents(`${kind}.order_id`)}`,
  })),
  {
    kind: 'disputes',
    problem: 'the row has no events',
    sql: `select id from disputes d where ${hasNoEvents('d.order_id')}`,
  },
  {
    kind: 'money_tasks',
    problem: 'the row has no events',
    sql: `select subject as id from money_tasks t where ${IS_EVENT_BORN} and ${hasNoEvents('t.order_id')}`,
  },
  {
    kind: 'ledger_entries',
    problem: 'the row has no event',
    sql: `select stream as id, position as at from ledger_entries l
      where not exists (select from events e where e.stream = l.stream and e.position = l.position)`,
  },
  {
    kind: 'ping_stream',
    problem: 'the entry is not that of the ping and its place in the feed',
    // Only up to the subscription's position.
    sql: `select coalesce(s.order_id, e.order_id) as id, position as at from ping_stream s
      full join (${PING_STREAM_ROWS} and f.position <= (select position from subscriptions where name = '${PING_STREAM}')) as e
        using (position)
      where (s.id, s.order_id, s.sequence, s.ref_id, s.status, s.status_code, s.status_message, s.occurred_at, s.transaction_id,
          s.event_id, s.listing_id, s.client_id)
        is distinct from (e.id, e.order_id, e.sequence, e.ref_id, e.status, e.status_code, e.status_message, e.occurred_at,
          e.transaction_id, e.event_id, e.listing_id, e.client_id)`,
  },
  {
    kind: 'money_stream',
    problem: 'the entry is not that of the event and its place in the feed',
    sql: `select coalesce(s.order_id, e.order_id) as id, position as at from money_stream s
      full join (${MONEY_STREAM_ROWS} and f.position <= (select position from subscriptions where name = '${PING_STREAM}')) as e
        using (position)
      where (s.id, s.order_id, s.type, s.occurred_at, s.transaction_id, s.data)
        is distinct from (e.id, e.order_id, e.type, e.occurred_at, e.transaction_id, e.data)`,
  },
  {
    kind: 'personal_data_keys',
    problem: 'the key has no events',
    sql: `select order_id as id from personal_data_keys k where ${hasNoEvents('k.order_id')}`,
  },
  {
    kind: 'work_items',
    problem: 'the row is not what the order says',
    // Only orders whose events and changes the queues have seen, and nothing before the first fill.
    sql: `select id from (${WRONG_ITEMS('now()')}) as wrong cross join (
        select position from subscriptions where name = '${WORK_QUEUES}' and position >= 0) as read
      where not exists (select from work_changes)
        and not exists (select from feed f where f.position > read.position and f.stream = 'order-' || wrong.id)
        and not exists (select from outbox o where o.stream = 'order-' || wrong.id)`,
  },
  {
    kind: 'work_items',
    problem: 'the count of the queue is not that of its rows',
    sql: `select place as id from work_counts c
      full join (select place, coalesce(seller, '') as seller, count(*) as count from work_items where place is not null group by 1, 2) as w
        using (place, seller)
      where coalesce(c.count, 0) <> coalesce(w.count, 0)`,
  },
  {
    kind: 'purchase_keys',
    problem: 'the key is not the one that the order was received with',
    sql: `select order_id as id from purchase_keys k
      left join events e on e.stream = 'order-' || k.order_id and e.position <= 2 and e.type = 'PurchaseReceived'
      where e.data ->> 'client_id' is distinct from k.client_id or e.data ->> 'duplicate_key' is distinct from k.key`,
  },
  {
    kind: 'stock',
    problem: 'offered - available is not what the orders hold',
    sql: `select coalesce(l.id, o.listing_id) as id from listings l
      full join (select listing_id, sum(held) as held from (
          select listing_id, stock_held as held from orders union all
          select other ->> 'listing_id',
            case when json_typeof(other -> 'quantity') = 'number' then (other ->> 'quantity')::numeric end from orders
            cross join json_array_elements(case json_typeof(other_tickets) when 'array' then other_tickets end) as other
            where other_tickets is not null) as holdings
        group by listing_id) as o on o.listing_id = l.id
      where coalesce(l.offered - l.available, 0) <> coalesce(o.held, 0)`,
  },
  {
    kind: 'stock',
    problem: 'the held seats are not those of the orders',
    sql: `select coalesce(l.id, o.listing_id) as id from (
          select id, (select array_agg(seat order by seat) from unnest(held_seats) as seat) as seats
          from listings where held_seats is not null) as l
      full join (select listing_id, array_agg(seat order by seat) as seats from (
          select listing_id, json_array_elements_text(case json_typeof(stock_seats) when 'array' then stock_seats end) as seat
            from orders where stock_seats is not null union all
          select other ->> 'listing_id', seat from orders
            cross join json_array_elements(case json_typeof(other_tickets) when 'array' then other_tickets end) as other
            cross join json_array_elements_text(case json_typeof(other -> 'seats') when 'array' then other -> 'seats' end) as seat
            where other_tickets is not null) as holdings
        group by listing_id) as o on o.listing_id = l.id
      where l.seats is distinct from o.seats`,
  },
  {
    kind: 'stock',
    problem: 'fewer than none are available',
    sql: `select id from listings where available < 0`,
  },
];
