import { leaseHeldAt } from '#delivery-kit/lease';
import { IS_PENDING } from '../pings/ping-statements.js';

/** $1 the replay. The lock keeps other processes from stepping the same replay. */
export const LOCK = `
  select endpoint, per_second, total, released, next_slot_ms, endpoint = 'platform'
      or exists (select from webhooks where webhooks.id = endpoint) as is_known
  from replays where id = $1 and state = 'running' for update skip locked`;

/**
 * Removes released items that were attempted, or that wait behind a failing item of their order, because its retries decide when they are
 * sent. Returns their number, and how many released items are overdue while nobody works on them. $3 is now.
 */
const settling = (waiting: string) => `
  with waiting as materialized (
    ${waiting}),
  settled as (
    delete from replay_items item where replay_id = $1 and number <= $2
      and not exists (select from waiting where waiting.number = item.number)
    returning 1)
  select (select count(*)::int from settled) as settled, (select count(*)::int from waiting where next_try_at <= $3 and is_idle) as overdue`;

/** $1 the replay, $2 the number of the last released item. */
export const SETTLE_PINGS = settling(`
    select number, next_try_at, not exists (
      select from ping_leases lease where lease.order_id = item.order_id and ${leaseHeldAt('$3')}) as is_idle
    from replay_items item join pings using (order_id, sequence)
    where replay_id = $1 and number <= $2 and ${IS_PENDING} and tries = 0 and not exists (
      select from pings earlier where earlier.order_id = item.order_id and earlier.sequence < item.sequence
        and earlier.${IS_PENDING} and earlier.tries > 0)`);

/** Like SETTLE_PINGS. $4 is the webhook, which has one lease for all its orders. */
export const SETTLE_DELIVERIES = settling(`
    select number, next_try_at, true as is_idle from replay_items item
    join webhook_deliveries delivery on delivery.webhook_id = $4 and delivery.position = item.position
    where replay_id = $1 and number <= $2 and ${IS_PENDING} and tries = 0 and not exists (
      select from webhook_deliveries earlier
      where earlier.webhook_id = $4 and earlier.order_id = item.order_id and earlier.position < item.position
        and earlier.${IS_PENDING} and earlier.tries > 0)`);

/** $1 the replay, $2 the last released number, $3 the new last number, $4 the first slot and $5 the interval of the slots, in ms. */
const NEXT = `
    select item.*, to_timestamp(($4::float8 + (number - $2 - 1) * $5::float8) / 1000) as slot
    from replay_items item where replay_id = $1 and number > $2 and number <= $3`;

/** Locks in the same order as the workers, to avoid deadlocks. */
export const RELEASE_PINGS = `
  with next as materialized (${NEXT}),
  locked as materialized (
    select pings.order_id as id, pings.sequence as place, slot from pings join next using (order_id, sequence)
    order by 1, 2 for update of pings)
  update pings set state = 'pending', due_since = slot, next_try_at = slot, tries = 0, delivered_at = null
  from locked where order_id = id and sequence = place
  returning order_id, next_try_at`;

/** $1 the webhook. Workers lock this lease while they record attempts, so this keeps them out. */
export const LOCK_DELIVERIES = 'select from webhook_leases where webhook_id = $1 for update';

/** $6 the webhook, $7 now. Also inserts deliveries of entries that are older than the webhook. */
export const RELEASE_DELIVERIES = `
  with next as materialized (${NEXT})
  insert into webhook_deliveries (webhook_id, position, order_id, created_at, next_try_at)
  select $6, position, order_id, $7, slot from next order by position
  on conflict (webhook_id, position) do update set
    state = 'pending', next_try_at = excluded.next_try_at, due_since = null, tries = 0, delivered_at = null
  returning order_id, next_try_at`;

/** $1 the replay, $2 the number of settled items, $3 the number of newly released items, $4 the next slot in ms, $5 now. */
export const ADVANCE = `
  update replays set sent = sent + $2, released = released + $3, next_slot_ms = $4, updated_at = $5,
    state = case when sent + $2 >= total then 'done' else state end,
    finished_at = case when sent + $2 >= total then $5::timestamptz end
  where id = $1`;

/** $1 the replay, $2 now. For a replay whose webhook was removed. */
export const ABANDON = `
  with gone as (delete from replay_items where replay_id = $1)
  update replays set state = 'cancelled', updated_at = $2, finished_at = $2 where id = $1`;
