import type { ClientBase } from 'pg';
import { EVENTS_DERIVED, type Derived, PERFORMERS_DERIVED } from './derived-columns.js';
import { differs } from './upsert.js';

// Some 0.2 s of work: a statement that is far from any time-out.
const ROWS_AT_ONCE = 1_000;

type Change = 'taxonomies' | 'genres' | 'venues' | 'performers';

// Where performers and events hold the ids of what they are made of.
const PERFORMERS_WITH: Readonly<Partial<Record<Change, string>>> = {
  taxonomies: 'taxonomy_ids && $1',
  genres: 'genre_ids && $1',
};
const EVENTS_WITH: Readonly<Partial<Record<Change, string>>> = {
  taxonomies: 'taxonomy_ids && $1',
  venues: 'venue_id = any ($1)',
  performers: 'performer_ids && $1',
};

/** Makes anew what performers and events hold of these rows. Within the turn in which they were changed. */
export async function refreshWhatHolds(client: ClientBase, change: Change, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const performers = PERFORMERS_WITH[change];
  if (performers) await refreshPerformers(client, await idsWhere(client, 'discovery_performers', performers, ids));
  const events = EVENTS_WITH[change];
  if (events) await refreshEvents(client, await idsWhere(client, 'discovery_events', events, ids));
}

/** Makes performers anew of their own columns and those of others, and the events they take part in. */
export async function refreshPerformers(client: ClientBase, ids: readonly number[]): Promise<void> {
  for (const some of chunks(ids)) {
    const { rows } = await client.query<{ id: number }>(REFRESH_PERFORMERS, [some]);
    await refreshWhatHolds(
      client,
      'performers',
      rows.map(({ id }) => id),
    );
  }
}

async function refreshEvents(client: ClientBase, ids: readonly number[]): Promise<void> {
  for (const some of chunks(ids)) await client.query(REFRESH_EVENTS, [some]);
}

async function idsWhere(client: ClientBase, table: string, condition: string, ids: readonly number[]) {
  const { rows } = await client.query<{ id: number }>(`select id from ${table} where ${condition} order by id`, [ids]);
  return rows.map(({ id }) => id);
}

function* chunks(ids: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) yield ids.slice(from, from + ROWS_AT_ONCE);
}

const refresh = (table: string, { columns, query }: Derived) => `
  with facts as materialized (select * from ${table} where id = any ($1)), ${query}
  update ${table} as stale set ${columns.map((column) => `${column} = derived.${column}`).join(', ')}
  from derived where stale.id = derived.id and ${differs('stale', 'derived', columns)}
  returning stale.id`;

const REFRESH_PERFORMERS = refresh('discovery_performers', PERFORMERS_DERIVED);
const REFRESH_EVENTS = refresh('discovery_events', EVENTS_DERIVED);
