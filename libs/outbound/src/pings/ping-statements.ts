import { MAX_LEASE_DIFFERENCE } from '#delivery-kit/lease';

/** Each statement handles many orders at once and joins only by key. */

/** $1 order ids in ascending order, $2 fence, $3 now, $4 end of the leases. */
export const TAKE = `
  insert into ping_leases as lease (order_id, fence, leased_until)
  select order_id, $2, $4 from unnest($1::text[]) as wanted(order_id)
  on conflict (order_id) do update set fence = excluded.fence, leased_until = excluded.leased_until
  where lease.leased_until <= $3 or lease.leased_until > $4::timestamptz + ${MAX_LEASE_DIFFERENCE}
  returning order_id`;

const FIELDS = 'order_id, sequence, client_id, ref_id, transaction_id, traceparent, tries, due_since, next_try_at';

/** Means `state = 'pending'`, but keeps the planner from scanning the index of all pending pings for each order. */
export const IS_PENDING = 'next_try_at is not null';

export const HEADS = `
  select head.* from unnest($1::text[]) as leased(id)
  cross join lateral (
    select ${FIELDS} from pings where order_id = leased.id and ${IS_PENDING} order by sequence limit 1) as head`;

const SAME_DUE = 'pings.due_since = held.due_since';

/**
 * $1 the attempts with the fences of their leases as JSON, $2 now, $3 end of the leases that go on. Returns a row for each attempt whose
 * lease was still held, with the order's next due ping or nulls.
 * A ping that was resent during the attempt has a different due_since. It stays due, because the platform may have read the old state of
 * the purchase.
 * The lease is locked first, so a worker that takes over an expired lease waits until the attempt is written.
 * `known` finds a ping by its key before the planner can compare all pending pings with the attempts, which it takes for few.
 */
export const RECORD = `
  with held as (
    select attempt.* from json_to_recordset($1::json) as attempt(
      order_id text, fence bigint, sequence int, due_since timestamptz, started_at timestamptz, duration_ms int,
      http_status int, error text, answer text, state text, next_try_at timestamptz)
    cross join lateral (
      select 1 from ping_leases where order_id = attempt.order_id and fence = attempt.fence for update) as lease),
  written as (
    update pings set
      state = case when ${SAME_DUE} then held.state else pings.state end,
      next_try_at = case when ${SAME_DUE} then held.next_try_at else pings.next_try_at end,
      tries = case when ${SAME_DUE} then tries + 1 else tries end,
      attempts = attempts + 1,
      delivered_at = case when ${SAME_DUE} and held.state = 'delivered' then $2::timestamptz end
    from held
    cross join lateral (
      select order_id, sequence from pings where order_id = held.order_id and sequence = held.sequence offset 0) as known
    where pings.order_id = known.order_id and pings.sequence = known.sequence and pings.${IS_PENDING}
    returning pings.order_id, pings.sequence, attempts, held.started_at, held.duration_ms, held.http_status, held.error,
      held.answer),
  kept as (
    insert into ping_attempts (order_id, sequence, attempt, started_at, duration_ms, http_status, error, answer)
    select * from written),
  found as (
    select held.order_id as held_id, next.* from held
    left join lateral (
      select ${FIELDS} from pings
      where order_id = held.order_id and ${IS_PENDING} and sequence <> held.sequence
      order by sequence limit 1) as next
    on held.state <> 'pending' and next.next_try_at <= $2),
  prolonged as (
    update ping_leases set leased_until = $3 from found
    where ping_leases.order_id = held_id and found.order_id is not null),
  released as (
    delete from ping_leases using found where ping_leases.order_id = held_id and found.order_id is null)
  select held_id as order_id, sequence, client_id, ref_id, transaction_id, traceparent, tries, due_since, next_try_at
  from found`;

/** SQL assignments that make a ping due at `time`. due_since always changes, so running attempts notice. */
export function dueAgainAt(time: string): string {
  return `state = 'pending', due_since = greatest(${time}, due_since + interval '1 millisecond'), next_try_at = ${time},
    tries = 0, delivered_at = null`;
}

/** $1 order ids, $2 the fences of their leases. */
export const RELEASE = `
  delete from ping_leases using unnest($1::text[], $2::bigint[]) as held(id, fence)
  where order_id = held.id and ping_leases.fence = held.fence`;
