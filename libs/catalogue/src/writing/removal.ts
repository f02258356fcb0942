import type { ClientBase } from 'pg';
import type { CatalogueKind } from '#contracts/backoffice/catalogue';
import { refreshUpcoming } from './upcoming.js';

type Referring = 'taxonomies' | 'performers' | 'events';

/** Who refers to one of a kind, and how many name the most at once. */
const REFERRING: Readonly<Record<CatalogueKind, readonly (readonly [Referring, string])[]>> = {
  taxonomies: [
    ['taxonomies', 'parent_id = $1'],
    ['performers', 'own_taxonomy_ids @> array[$1::int]'],
    ['events', 'own_taxonomy_ids @> array[$1::int]'],
  ],
  genres: [['performers', 'genre_ids @> array[$1::int]']],
  venues: [['events', 'venue_id = $1']],
  performers: [['events', 'performer_ids @> array[$1::int]']],
  events: [],
};

const NAMED_AT_MOST = 5;

/** `usedBy` names those that refer to it, e.g. `events 7, 12`, or counts them, e.g. `2 open orders; 1 listing`. */
export type Removal = 'removed' | 'absent' | Readonly<{ usedBy: string }>;

/** Counts an event's open orders, whose tickets have not gone out, and its listings that were not withdrawn. */
async function usesOfEvent(client: ClientBase, id: number): Promise<string[]> {
  const { rows } = await client.query<{ orders: number; listings: number }>(USES_OF_EVENT, [String(id)]);
  const { orders = 0, listings = 0 } = rows[0] ?? {};
  const counted = (count: number, one: string) => (count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`]);
  return [...counted(orders, 'open order'), ...counted(listings, 'listing')];
}

const USES_OF_EVENT = `
  select (select count(*)::int from orders where event_id = $1 and stage in ('placed', 'awaiting_payment')
      and status is distinct from 'rejected' and purchase ->> 'fulfillment' is null) as orders,
    (select count(*)::int from listings where event_id = $1 and withdrawn_at is null) as listings`;

/** Takes one out unless others refer to it. Within a turn; `now` is ISO 8601. */
export async function remove(client: ClientBase, kind: CatalogueKind, id: number, now: string): Promise<Removal> {
  const uses = kind === 'events' ? await usesOfEvent(client, id) : [];
  for (const [referring, condition] of REFERRING[kind]) {
    const { rows } = await client.query<{ id: number }>(
      `select id from discovery_${referring} where ${condition} order by id limit ${NAMED_AT_MOST + 1}`,
      [id],
    );
    const named = rows.slice(0, NAMED_AT_MOST).map((row) => row.id);
    if (rows.length > 0) uses.push(`${referring} ${named.join(', ')}${rows.length > NAMED_AT_MOST ? ' and more' : ''}`);
  }
  if (uses.length > 0) return { usedBy: uses.join('; ') };
  const left = kind === 'events' ? await performersOf(client, [id]) : [];
  const { rowCount } = await client.query(`delete from discovery_${kind} where id = $1`, [id]);
  await refreshUpcoming(client, now, left);
  return rowCount === 0 ? 'absent' : 'removed';
}

/** Everybody who takes part in one of these events. */
export async function performersOf(client: ClientBase, eventIds: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    'select distinct unnest(performer_ids) as id from discovery_events where id = any ($1)',
    [eventIds],
  );
  return rows.map(({ id }) => id);
}
