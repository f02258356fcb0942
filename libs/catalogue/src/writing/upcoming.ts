import type { ClientBase, Pool } from 'pg';
import { refreshPerformers } from './refresh.js';
import { withCatalogueLock } from './catalogue-lock.js';

// Each turn keeps others waiting for some tenths of a second.
const PERFORMERS_A_TURN = 500;

/**
 * Says of these performers whether they have events to come. What was imported counts until the catalogue has had an
 * upcoming event of a performer. Within a turn; `now` is ISO 8601.
 */
export async function refreshUpcoming(client: ClientBase, now: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const stale = await staleOnes(client, now, ids);
  await client.query(SET_UPCOMING, [JSON.stringify(stale)]);
  await refreshPerformers(
    client,
    stale.filter(({ shows_other }) => shows_other).map(({ id }) => id),
  );
}

/** The same for all, as time goes by; a few at a time. */
export async function refreshAllUpcoming(pool: Pool, now: string): Promise<void> {
  const stale = (await staleOnes(pool, now, null)).map(({ id }) => id);
  for (let from = 0; from < stale.length; from += PERFORMERS_A_TURN) {
    const some = stale.slice(from, from + PERFORMERS_A_TURN);
    await withCatalogueLock(pool, (client) => refreshUpcoming(client, now, some));
  }
}

/** `shows_other`: its document changes, too. */
type Stale = Readonly<{ id: number; has_upcoming: boolean; seen_upcoming: boolean; shows_other: boolean }>;

async function staleOnes(db: Pool | ClientBase, now: string, ids: readonly number[] | null): Promise<Stale[]> {
  const { rows } = await db.query<Stale>(STALE, [now, ids]);
  return rows;
}

const STALE = `
  with upcoming as (
    select distinct performer_id as id from discovery_events, unnest(performer_ids) as performer_id
    where datetime_utc >= $1::timestamptz at time zone 'utc' and ($2::int[] is null or performer_ids && $2)
  ), seen as (
    select p.id, p.has_upcoming_events, p.seen_upcoming as known,
      p.seen_upcoming or upcoming.id is not null as seen_upcoming,
      upcoming.id is not null or (not p.seen_upcoming and p.imported_has_upcoming_events) as has_upcoming
    from discovery_performers as p left join upcoming using (id) where $2::int[] is null or p.id = any ($2)
  )
  select id, has_upcoming, seen_upcoming, has_upcoming <> has_upcoming_events as shows_other from seen
  where has_upcoming <> has_upcoming_events or seen_upcoming <> known order by id`;

const SET_UPCOMING = `
  update discovery_performers as p set has_upcoming_events = has_upcoming, seen_upcoming = stale.seen_upcoming
  from json_to_recordset($1::json) as stale (id int, has_upcoming bool, seen_upcoming bool) where p.id = stale.id`;
