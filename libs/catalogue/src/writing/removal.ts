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
  // Listings of events that the catalogue lacks are fine.
  events: [],
};

const NAMED_AT_MOST = 5;

/** `usedBy` names those that refer to it, e.g. `events 7, 12`. */
export type Removal = 'removed' | 'absent' | Readonly<{ usedBy: string }>;

/** Takes one out unless others refer to it. Within a turn; `now` is ISO 8601. */
export async function remove(client: ClientBase, kind: CatalogueKind, id: number, now: string): Promise<Removal> {
  const uses: string[] = [];
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
