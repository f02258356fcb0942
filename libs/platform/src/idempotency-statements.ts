const KEPT = `interval '24 hours'`;

/** The process of a request renews its lease in time. If the process dies, the key is free again after this time. */
const LEASE = `interval '60 seconds'`;

const ROWS_AT_ONCE = 1_000;

/**
 * $1 id, $2 digest of the request or null, $3 the order of the route, $4 the digests that the request may have. Returns no row if the key is in
 * use. A request that died may be repeated, but not replaced by another one.
 */
export const CLAIM = `
  insert into idempotency_keys as kept (id, request, orders, leased_until) values ($1, $2, $3, clock_timestamp() + ${LEASE})
  on conflict (id) do update set request = excluded.request, orders = excluded.orders, leased_until = excluded.leased_until,
    fence = excluded.fence, created_at = excluded.created_at, answer = null, erased = false
  where kept.created_at <= clock_timestamp() - ${KEPT}
    or kept.leased_until <= clock_timestamp() and (kept.request is null or kept.request = any($4::bytea[]))
  returning fence`;

/** $1 id. */
export const FIND =
  'select request, answer, erased, leased_until is not null as runs from idempotency_keys where id = $1';

/** $1 id, $2 fence, $3 digest of the request, $4 the answer, $5 further orders. */
export const KEEP = `
  update idempotency_keys set request = $3, leased_until = null, answer = case when erased then null else $4::bytea end,
    orders = array(select unnest(orders) union select unnest($5::text[]))
  where id = $1 and fence = $2`;

/** $1 id, $2 fence. */
export const RELEASE = 'delete from idempotency_keys where id = $1 and fence = $2';

/** $1 ids, $2 their fences. */
export const RENEW = `
  update idempotency_keys kept set leased_until = clock_timestamp() + ${LEASE}
  from unnest($1::text[], $2::uuid[]) as mine (id, fence)
  where kept.id = mine.id and kept.fence = mine.fence and kept.leased_until is not null`;

/** Removes some of the old rows. */
export const PRUNE = `
  delete from idempotency_keys where id = any(array(
    select id from idempotency_keys where created_at <= clock_timestamp() - ${KEPT} limit ${ROWS_AT_ONCE}))`;
