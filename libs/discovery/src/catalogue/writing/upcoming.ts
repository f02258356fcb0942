import type { ClientBase, Pool } from 'pg';
import { refreshPerformers } from './refresh.js';
import { withCatalogueLock } from './catalogue-lock.js';

// Each batch holds the catalogue lock for some tenths of a second.
const BATCH_SIZE = 500;

/**
 * Updates whether these performers have upcoming events. The imported value counts until the catalogue has had an upcoming event of
 * the performer. Needs the catalogue lock; `now` is ISO 8601.
 */
export async function refreshUpcoming(client: ClientBase, now: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const stale = await findStale(client, now, ids);
  await client.query(SET_UPCOMING, [JSON.stringify(stale)]);
  await refreshPerformers(
    client,
    stale.filter(({ shows_other }) => shows_other).map(({ id }) => id),
  );
}

/** Does the same for all performers, in batches. */
export async function refreshAllUpcoming(pool: Pool, now: string): Promise<void> {
  const stale = (await findStale(pool, now, null)).map(({ id }) => id);
  for (let from = 0; from < stale.length; from += BATCH_SIZE) {
    const batch = stale.slice(from, from + BATCH_SIZE);
    await withCatalogueLock(pool, (client) => refreshUpcoming(client, now, batch));
  }
}

/** `shows_other`: the document changes too. */
type Stale = Readonly<{ id: number; has_upcoming: boolean; seen_upcoming: boolean; shows_other: boolean }>;

async function findStale(db: Pool | ClientBase, now: string, ids: readonly number[] | null): Promise<Stale[]> {
  const { rows } = await db.query<Stale>(STALE, [now, ids]);
  return rows;
}

// A show whose time or date is not known may still come while it is visible. Its time in UTC is that of 03:30, or an estimate.
const STILL_TO_COME = `(datetime_utc >= $1::timestamptz at time zone 'utc' or
  (visible_until >= $1::timestamptz at time zone 'utc'
    and ((document ->> 'time_tbd')::bool or (document ->> 'date_tbd')::bool)))`;

const STALE = `
  with upcoming as (
    select distinct performer_id as id from discovery_events, unnest(performer_ids) as performer_id
    where ${STILL_TO_COME} and ($2::bigint[] is null or performer_ids && $2)
  ), seen as (
    select p.id, p.has_upcoming_events, p.seen_upcoming as known,
      p.seen_upcoming or upcoming.id is not null as seen_upcoming,
      upcoming.id is not null or (not p.seen_upcoming and p.imported_has_upcoming_events) as has_upcoming
    from discovery_performers as p left join upcoming using (id) where $2::bigint[] is null or p.id = any ($2)
  )
  select id, has_upcoming, seen_upcoming, has_upcoming <> has_upcoming_events as shows_other from seen
  where has_upcoming <> has_upcoming_events or seen_upcoming <> known order by id`;

const SET_UPCOMING = `
  update discovery_performers as p set has_upcoming_events = has_upcoming, seen_upcoming = stale.seen_upcoming
  from json_to_recordset($1::json) as stale (id bigint, has_upcoming bool, seen_upcoming bool) where p.id = stale.id`;
