import type { ClientBase } from 'pg';
import type { CatalogueLine } from '#contracts/backoffice/catalogue';
import type { Batch, LineError } from './batch.js';
import { writeGenres } from './genres-and-venues.js';
import { PERFORMERS_DERIVED } from './derived-columns.js';
import { listed, withReferences } from './references.js';
import { refreshWhatHolds } from './refresh.js';
import { performerRow } from './rows.js';
import { writeTaxonomies } from './taxonomies.js';
import { SHOWN_SCORE, type Table, upsert } from './upsert.js';

const TABLE: Table = {
  name: 'discovery_performers',
  own: `
    id int, name text, short_name text, slug text, type text, own_taxonomy_ids int[], genre_ids int[],
    primary_genre_ids int[], imported_score float8, imported_has_upcoming_events bool, name_text text,
    division_text text, own json`,
  kept: {
    score: SHOWN_SCORE,
    has_upcoming_events:
      'case when old.seen_upcoming then old.has_upcoming_events else given.imported_has_upcoming_events end',
  },
  derived: PERFORMERS_DERIVED,
};

const EMBEDDED = [
  ['taxonomies', writeTaxonomies],
  ['genres', writeGenres],
] as const;

/** Writes performers with taxonomies and genres that are new, and anew the events of those that changed. */
export async function writePerformers(
  client: ClientBase,
  batch: Batch<CatalogueLine<'performers'>>,
): Promise<LineError[]> {
  const { sound, faults } = await withReferences(client, batch, EMBEDDED, (line) => [
    ...listed('taxonomies', line.taxonomies),
    ...listed('genres', line.genres),
  ]);
  const changed = await upsert(client, TABLE, sound.map(performerRow));
  await refreshWhatHolds(client, 'performers', changed);
  return faults;
}
