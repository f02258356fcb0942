import { WEBHOOK_OPTIONS } from '../webhook.contract.js';
import { entriesAfter, entryAt, STATUS_TYPE } from '../webhook-entries.js';
import { MAX_LEASE_DIFFERENCE } from '#delivery-kit/lease';
import { LONGEST_RETRY_AFTER_MS } from '#delivery-kit/retry-schedule';

/** Each statement handles many endpoints at once and joins only by key. */

/** Stream entries per endpoint and statement. */
const INGESTED_AT_ONCE = 1_000;

/** Due deliveries per endpoint and read. */
export const DUE_AT_ONCE = 100;

// A lease that ends later was written with a wrong clock.
const IS_OVER = `(lease.leased_until <= $3 or lease.leased_until > $4::timestamptz + ${MAX_LEASE_DIFFERENCE})`;

/**
 * $1 webhook ids in ascending order, $2 fence, $3 now, $4 end of the leases. `rung` tells the current holder that there may be new work.
 */
export const TAKE = `
  insert into webhook_leases as lease (webhook_id, fence, leased_until)
  select id, $2, $4 from unnest($1::text[]) as wanted(id)
  where exists (select from webhooks where webhooks.id = wanted.id and state <> 'disabled')
  on conflict (webhook_id) do update set
    fence = case when ${IS_OVER} then $2 else lease.fence end,
    rung = not ${IS_OVER},
    leased_until = case when ${IS_OVER} then $4 else lease.leased_until end
  returning webhook_id, fence = $2 as taken`;

/** A receiver that is back is noticed within this time. */
export const LONGEST_BREAK_MS = 300_000;

// A later time than any wait can have was written with a wrong clock.
const beyond = (longestMs: number) => `interval '${longestMs + 60_000} ms'`;

/** SQL conditions: the breaker, or the rate limit, allows sending at `now`. Null if it holds nothing back. */
export const breakIsOver = (now: string) =>
  `(open_until <= ${now} or open_until > ${now}::timestamptz + ${beyond(LONGEST_BREAK_MS)})`;
export const restIsOver = (now: string) =>
  `(paced_until <= ${now} or paced_until > ${now}::timestamptz + ${beyond(LONGEST_RETRY_AFTER_MS)})`;

/** $1 webhook ids, $2 now. The secrets are newest first. */
export const ENDPOINTS = `
  select webhooks.id, url, encode(credentials, 'hex') as credentials, ${WEBHOOK_OPTIONS.join(', ')}, state, version, breaker, failures, openings, recovering,
    case when not ${breakIsOver('$2')} then open_until end as open_until,
    case when not ${restIsOver('$2')} then paced_until end as paced_until,
    array(
      select json_build_object('id', live.id, 'sealed', encode(live.secret, 'hex')) from webhook_secrets live
      where live.webhook_id = webhooks.id and (expires_at is null or expires_at > $2)
      order by live.created_at desc, live.id desc) as secrets
  from webhooks where webhooks.id = any($1)`;

/** Locks the leases that are still held. A worker that takes one over waits until the transaction ends. */
const HELD = `cross join lateral (
    select rung from webhook_leases where webhook_id = wanted.id and fence = wanted.fence for update) as lease`;

/** $1 webhook ids, $2 their fences, $3 now, $4 end of the leases that go on. Returns a row for each endpoint whose lease was held. */
export const INGEST = `
  with held as materialized (
    select wanted.id from unnest($1::text[], $2::bigint[]) as wanted(id, fence) ${HELD}),
  entry as materialized (
    select endpoint.id as webhook_id, found.*, type = any(coalesce(event_types, '{${STATUS_TYPE}}'))
      and (statuses is null or status is null or status = any(statuses)) as wanted
    from held join webhooks endpoint on endpoint.id = held.id
    cross join lateral (${entriesAfter('endpoint.position', INGESTED_AT_ONCE)}) as found),
  taken as (
    insert into webhook_deliveries (webhook_id, position, order_id, created_at, next_try_at)
    select webhook_id, position, order_id, $3, greatest($3, (
      select max(next_try_at) from webhook_deliveries earlier
      where earlier.webhook_id = entry.webhook_id and earlier.order_id = entry.order_id
        and earlier.next_try_at is not null))
    from entry where wanted
    on conflict do nothing),
  reached as (
    select webhook_id, max(position) as position, count(*) as entries from entry group by webhook_id),
  moved as (
    update webhooks set position = reached.position from reached where webhooks.id = reached.webhook_id),
  prolonged as (
    update webhook_leases set leased_until = $4 from held where webhook_id = held.id)
  select webhooks.id, version, coalesce(entries, 0) = ${INGESTED_AT_ONCE} as more
  from held join webhooks on webhooks.id = held.id left join reached on reached.webhook_id = held.id`;

const DELIVERY = `delivery.position, delivery.order_id, delivery.tries, delivery.due_since, entry.*`;

const WITH_ENTRY = `cross join lateral (${entryAt('delivery.position')}) as entry`;

/**
 * $1 webhook ids, $2 for each the time up to which deliveries count as due, $3 now.
 * Returns only the first pending delivery of each order. Each endpoint gets at least one row with the time of its next delivery that is
 * not due yet. A batch runs later than its calls, so `least` makes sure that a delivery which became due in between is not missed.
 */
export const DUE = `
  select wanted.id as webhook_id, upcoming.at as next_due, head.* from unnest($1::text[], $2::timestamptz[]) as wanted(id, until)
  cross join lateral (
    select min(next_try_at) as at from webhook_deliveries
    where webhook_id = wanted.id and state = 'pending' and next_try_at > least(wanted.until, $3)) as upcoming
  left join lateral (
    select ${DELIVERY} from (
      select * from webhook_deliveries due
      where webhook_id = wanted.id and state = 'pending' and next_try_at <= wanted.until and not exists (
        select from webhook_deliveries earlier
        where earlier.webhook_id = due.webhook_id and earlier.order_id = due.order_id
          and earlier.position < due.position and earlier.next_try_at is not null)
      order by next_try_at, position limit ${DUE_AT_ONCE}) as delivery
    ${WITH_ENTRY}) as head on true`;

/**
 * $1 the attempts with the fences of their leases as JSON, $2 now, $3 end of the leases that go on. Returns a row for each attempt whose
 * lease was held, with the next due delivery of its order or nulls.
 * An upsert has only one plan. With outdated statistics an update joined the whole backlog for each batch, which took seconds. The
 * deliveries exist, so the upsert only updates them. The check for `pending` comes after the lookup by key, so the planner cannot scan the
 * index of all pending deliveries.
 */
export const RECORD = `
  with held as materialized (
    select wanted.*, delivery.* from json_to_recordset($1::json) as wanted(
      id text, fence bigint, position bigint, order_id text, url text, started_at timestamptz, duration_ms int,
      http_status int, error text, answer text, state text, due_since timestamptz, next_try_at timestamptz) ${HELD}
    left join lateral (
      select state as state_before, created_at, attempts from webhook_deliveries delivery
      where delivery.webhook_id = wanted.id and delivery.position = wanted.position offset 0) as delivery on true),
  written as (
    insert into webhook_deliveries as delivery (webhook_id, position, order_id, created_at, state, next_try_at, due_since, delivered_at)
    select id, position, order_id, created_at, state, next_try_at, due_since, case when state = 'delivered' then $2::timestamptz end
    from held where state_before = 'pending'
    on conflict (webhook_id, position) do update set
      state = excluded.state, next_try_at = excluded.next_try_at, due_since = excluded.due_since,
      delivered_at = excluded.delivered_at, tries = delivery.tries + 1, attempts = delivery.attempts + 1),
  kept as (
    insert into webhook_attempts (webhook_id, position, attempt, url, started_at, duration_ms, http_status, error, answer)
    select id, position, attempts + 1, url, started_at, duration_ms, http_status, error, answer
    from held where state_before = 'pending'),
  delayed as (
    update webhook_deliveries later set next_try_at = held.next_try_at from held
    where held.state = 'pending' and later.webhook_id = held.id and later.order_id = held.order_id
      and later.position > held.position and later.next_try_at < held.next_try_at
      and later.webhook_id = any(array(select id from held where state = 'pending'))
      and later.order_id = any(array(select order_id from held where state = 'pending'))),
  prolonged as (
    update webhook_leases set leased_until = $3 from (select distinct id from held) as goes_on where webhook_id = goes_on.id)
  select held.id as webhook_id, held.position as recorded, version, next.*
  from held join webhooks on webhooks.id = held.id
  left join lateral (
    select ${DELIVERY} from (
      select * from webhook_deliveries
      where webhook_id = held.id and order_id = held.order_id and next_try_at is not null
        and webhook_deliveries.position <> held.position
      order by webhook_deliveries.position limit 1) as delivery
    ${WITH_ENTRY}
    where delivery.next_try_at <= $2) as next on held.state <> 'pending'`;

/**
 * $1 webhook ids, $2 the fences of their leases, $3 until when the rate limit holds each back, or null, $4 whether to release it even after
 * a wake-up. Otherwise such a lease is kept and the column rung is true.
 */
export const RELEASE = `
  with held as materialized (
    select wanted.id, until, rung and not anyway as rung
    from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::boolean[]) as wanted(id, fence, until, anyway) ${HELD}),
  paced as (
    update webhooks set paced_until = until from held where webhooks.id = held.id and until is not null),
  released as (
    delete from webhook_leases using held where webhook_id = held.id and not held.rung),
  heard as (
    update webhook_leases set rung = false from held where webhook_id = held.id and held.rung)
  select id, rung from held`;

/** $1 the webhook. Makes all pending deliveries due again in their original order and resets their retry periods. */
export const START_OVER = `
  update webhook_deliveries set next_try_at = created_at, due_since = null, tries = 0
  where webhook_id = $1 and state = 'pending' and next_try_at > created_at`;

const ONE_HELD = `held as materialized (
    select webhook_id from webhook_leases where webhook_id = $1 and fence = $2 for update)`;

const NOTED = `noted as (
    insert into operational_notices (kind, subject, message, created_at)
    select $3, $1, $4, $5 from changed where $3::text is not null)`;

/** $1 webhook, $2 fence, $3 and $4 kind and text of a notice or nulls, $5 now, $6 to $9 the breaker, $10 whether it has just closed. */
export const SAVE_BREAKER = `
  with ${ONE_HELD},
  changed as (
    update webhooks set breaker = $6, failures = $7, openings = $8, open_until = $9, recovering = recovering or $6 = 'open'
    from held where id = webhook_id returning id),
  ${NOTED},
  started_over as (
    ${START_OVER} and $10::boolean and exists (select from changed))
  select id from changed`;

/** $1 webhook, $2 fence, $3 and $4 kind and text of the notice, $5 now, $6 the reason. Also releases the lease. */
export const DISABLE = `
  with ${ONE_HELD},
  changed as (
    update webhooks set state = 'disabled', disabled_reason = $6, version = version + 1, recovering = true, updated_at = $5
    from held where id = webhook_id returning id),
  ${NOTED}
  delete from webhook_leases using changed where webhook_id = changed.id returning webhook_id as id`;

/** $1 webhook, $2 fence, $3 and $4 kind and text of the notice, $5 now. */
export const CAUGHT_UP = `
  with ${ONE_HELD},
  changed as (
    update webhooks set recovering = false from held where id = webhook_id and recovering returning id),
  ${NOTED}
  select id from changed`;
