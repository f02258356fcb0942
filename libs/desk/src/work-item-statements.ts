import { DUE_SOURCES, DUE_TIME } from '#orders/due-time';
import { seenSeller } from '#accounts/seen-orders';

/** The queues that a status puts an order into. From its due time on, an order is in `overdue` instead. */
const STATUS_QUEUES = ['to_confirm', 'review', 'to_ship', 'to_deliver', 'exceptions'] as const;

/** The open orders among those of `ids` (SQL), each with the time when its action began and the time by which it must be done. */
const currentItems = (ids: string) => `
  select o.id as order_id, o.queue, ${seenSeller('o')} as seller, began.since, coalesce(${DUE_TIME}, 'infinity') as due_at
  from (${ids}) as given (id)
  join orders o on o.id = given.id and o.queue is not null
  ${DUE_SOURCES}`;

/** Whether a row `w` waits for others and nobody has snoozed it. It is in no queue until it is due. */
const WAITS = `w.queue = 'waiting' and w.place is null and w.snoozed_until is null`;

/** A due time ends a snooze that was made before it, so that no deadline is slept through. */
const awakenedItems = (ids: string, now: string) => `
  select item.order_id, item.queue, item.seller, item.since, item.due_at,
    (select e.escalated_at from work_escalations e where e.order_id = item.order_id and e.since = item.since) as escalated_at,
    case when snooze.until > ${now} then snooze.until end as snoozed_until,
    case when snooze.until > ${now} then null when item.due_at <= ${now} then 'overdue'
      else nullif(item.queue, 'waiting') end as place
  from (${currentItems(ids)}) as item
  left join lateral (select case when item.due_at > desk.snoozed_at then least(desk.snoozed_until, item.due_at)
      else desk.snoozed_until end as until
    from order_desk desk where desk.order_id = item.order_id and desk.snoozed_in = item.queue) as snooze on true`;

/** $1: the id of an order, $2: the time now. Where the order is now, also before its row is up to date. */
export const PLACE_NOW = `
  select coalesce(item.place, nullif(item.queue, 'waiting')) as queue, nullif(item.due_at, 'infinity') as due_at, item.snoozed_until,
    item.escalated_at
  from orders left join (${awakenedItems('select $1::text', '$2::timestamptz')}) as item on item.order_id = orders.id
  where orders.id = $1`;

const VALUES = ['queue', 'place', 'seller', 'since', 'due_at', 'snoozed_until', 'escalated_at'];
const COLUMNS = ['order_id', ...VALUES].join(', ');
const row = (of: string) => `(${VALUES.map((name) => `${of}.${name}`).join(', ')})`;

/** $1: the ids of orders, $2: the time now. Brings their rows up to date, and removes those of orders that are no longer open. */
export const REFRESH = `
  with item as materialized (${awakenedItems('select unnest($1::text[])', '$2::timestamptz')}),
  closed as (delete from work_items w where w.order_id = any($1) and not exists (
    select from orders o where o.id = w.order_id and o.queue is not null))
  insert into work_items as w (${COLUMNS}) select ${COLUMNS} from item
  on conflict (order_id) do update set ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')}
    where ${row('w')} is distinct from ${row('excluded')}`;

/** $1: the time now. The rows that differ from what the orders are; for the verification. */
export const WRONG_ITEMS = (now: string) => `
  select coalesce(w.order_id, item.order_id) as id from work_items w
  full join (${awakenedItems('select id from orders where queue is not null', now)}) as item using (order_id)
  where (w.queue, w.seller, w.since, w.due_at) is distinct from (item.queue, item.seller, item.since, item.due_at)`;

/** $1: the time now. What only the time changes, in both directions, because the clock of the database may be set back. */
export const TIME_PASSED = [
  `update work_items set place = 'overdue' where order_id in (
     (select order_id from work_items where place = any('{${STATUS_QUEUES.join(',')}}') and due_at <= $1::timestamptz limit $2)
     union all (select order_id from work_items w where ${WAITS} and due_at <= $1::timestamptz limit $2))`,
  `update work_items set place = nullif(queue, 'waiting') where order_id in (
     select order_id from work_items where place = 'overdue' and due_at > $1::timestamptz limit $2)`,
  `update work_items set snoozed_until = null,
     place = case when due_at <= $1::timestamptz then 'overdue' else nullif(queue, 'waiting') end
   where order_id in (select order_id from work_items where snoozed_until <= $1::timestamptz limit $2)`,
] as const;

/** $1: the name of the checkpoint, $2: the time now. Whether there is anything to do. */
export const IS_DUE = `
  select coalesce((select max(position) from feed), 0) > coalesce((select position from subscriptions where name = $1), -1)
    or exists (select from work_changes)
    or exists (select from work_items where place = any('{${STATUS_QUEUES.join(',')}}') and due_at <= $2::timestamptz)
    or exists (select from work_items w where ${WAITS} and due_at <= $2::timestamptz)
    or exists (select from work_items where place = 'overdue' and due_at > $2::timestamptz)
    or exists (select from work_items where snoozed_until <= $2::timestamptz) as due`;

/** $1: the name of the checkpoint, $2: how many entries. The orders with new events, the last position, and how many entries were read. */
export const READ_FEED = `
  with entries as (
    select position, stream from feed where position > (select position from subscriptions where name = $1)
    order by position limit $2)
  select max(position) as last, count(*)::int as entries,
    coalesce(array_agg(distinct substr(stream, 7)) filter (where stream like 'order-%'), '{}') as ids
  from entries`;

/** $1: how many. */
export const TAKE_CHANGES = `
  delete from work_changes where id in (select id from work_changes order by id limit $1) returning event_id, listing_id`;

/** $1: shows, $2: listings. Their open orders, each part through its index. */
export const ORDERS_OF = `
  select id from orders where queue is not null and event_id = any($1::text[])
  union select id from orders where queue is not null and listing_id = any($2::text[])`;

export const RECOUNT = `
  with counted as (select place, coalesce(seller, '') as seller, count(*) as count from work_items
    where place is not null group by 1, 2),
  gone as (delete from work_counts c where not exists (select from counted where (counted.place, counted.seller) = (c.place, c.seller)))
  insert into work_counts as c select place, seller, count from counted
  on conflict (place, seller) do update set count = excluded.count where c.count <> excluded.count`;
