import type { ClientBase } from 'pg';
import { EVENTS_DERIVED, type Derived, PERFORMERS_DERIVED } from './derived-columns.js';
import { differs } from './upsert.js';

// About 0.2 s of work, far below any statement time-out.
const BATCH_SIZE = 1_000;

type Change = 'taxonomies' | 'genres' | 'venues' | 'performers';

// Conditions that find the performers and events that embed these rows.
const PERFORMERS_WITH: Readonly<Partial<Record<Change, string>>> = {
  taxonomies: 'taxonomy_ids && $1',
  genres: 'genre_ids && $1',
};
const EVENTS_WITH: Readonly<Partial<Record<Change, string>>> = {
  taxonomies: 'taxonomy_ids && $1',
  venues: 'venue_id = any ($1)',
  performers: 'performer_ids && $1',
};

/** Refreshes the performers and events that embed these rows. Needs the catalogue lock. */
export async function refreshDependents(client: ClientBase, change: Change, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const performers = PERFORMERS_WITH[change];
  if (performers) await refreshPerformers(client, await idsWhere(client, 'discovery_performers', performers, ids));
  const events = EVENTS_WITH[change];
  if (events) await refreshEvents(client, await idsWhere(client, 'discovery_events', events, ids));
}

/** Rebuilds the derived columns of performers, and of the events they take part in. */
export async function refreshPerformers(client: ClientBase, ids: readonly number[]): Promise<void> {
  for (const batch of chunks(ids)) {
    const { rows } = await client.query<{ id: number }>(REFRESH_PERFORMERS, [batch]);
    await refreshDependents(
      client,
      'performers',
      rows.map(({ id }) => id),
    );
  }
}

async function refreshEvents(client: ClientBase, ids: readonly number[]): Promise<void> {
  for (const batch of chunks(ids)) await client.query(REFRESH_EVENTS, [batch]);
}

async function idsWhere(client: ClientBase, table: string, condition: string, ids: readonly number[]) {
  const { rows } = await client.query<{ id: number }>(`select id from ${table} where ${condition} order by id`, [ids]);
  return rows.map(({ id }) => id);
}

function* chunks(ids: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < ids.length; from += BATCH_SIZE) yield ids.slice(from, from + BATCH_SIZE);
}

const refresh = (table: string, { columns, query }: Derived) => `
  with facts as materialized (select * from ${table} where id = any ($1)), ${query}
  update ${table} as stale set ${columns.map((column) => `${column} = derived.${column}`).join(', ')}
  from derived where stale.id = derived.id and ${differs('stale', 'derived', columns)}
  returning stale.id`;

const REFRESH_PERFORMERS = refresh('discovery_performers', PERFORMERS_DERIVED);
const REFRESH_EVENTS = refresh('discovery_events', EVENTS_DERIVED);
