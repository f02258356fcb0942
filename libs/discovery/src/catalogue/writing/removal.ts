import type { ClientBase } from 'pg';
import type { CatalogueKind } from '../../catalogue.contract.js';
import { refreshUpcoming } from './upcoming.js';

type Referring = 'taxonomies' | 'performers' | 'events';

/** Conditions that find the rows that refer to a document of each kind. */
const REFERRING: Readonly<Record<CatalogueKind, readonly (readonly [Referring, string])[]>> = {
  taxonomies: [
    ['taxonomies', 'parent_id = $1'],
    ['performers', 'own_taxonomy_ids @> array[$1::bigint]'],
    ['events', 'own_taxonomy_ids @> array[$1::bigint]'],
  ],
  genres: [['performers', 'genre_ids @> array[$1::bigint]']],
  venues: [['events', 'venue_id = $1']],
  performers: [['events', 'performer_ids @> array[$1::bigint]']],
  events: [],
};

const MAX_NAMED = 5;

/** `usedBy` names the rows that refer to it, such as `events 7, 12`, or counts them, such as `2 open orders; 1 listing`. */
export type Removal = 'removed' | 'absent' | Readonly<{ usedBy: string }>;

/** Counts an event's open orders (tickets not delivered yet) and its listings that are not withdrawn. */
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

/** Removes a document unless others refer to it. Needs the catalogue lock. `now` is ISO 8601. */
export async function remove(client: ClientBase, kind: CatalogueKind, id: number, now: string): Promise<Removal> {
  const uses = kind === 'events' ? await usesOfEvent(client, id) : [];
  for (const [referring, condition] of REFERRING[kind]) {
    const { rows } = await client.query<{ id: number }>(
      `select id from discovery_${referring} where ${condition} order by id limit ${MAX_NAMED + 1}`,
      [id],
    );
    const named = rows.slice(0, MAX_NAMED).map((row) => row.id);
    if (rows.length > 0) uses.push(`${referring} ${named.join(', ')}${rows.length > MAX_NAMED ? ' and more' : ''}`);
  }
  if (uses.length > 0) return { usedBy: uses.join('; ') };
  const performers = kind === 'events' ? await performersOf(client, [id]) : [];
  const { rowCount } = await client.query(`delete from discovery_${kind} where id = $1`, [id]);
  await refreshUpcoming(client, now, performers);
  return rowCount === 0 ? 'absent' : 'removed';
}

export async function performersOf(client: ClientBase, eventIds: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    'select distinct unnest(performer_ids) as id from discovery_events where id = any ($1)',
    [eventIds],
  );
  return rows.map(({ id }) => id);
}
