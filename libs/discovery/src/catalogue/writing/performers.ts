import type { ClientBase } from 'pg';
import type { CatalogueLine } from '../../catalogue.contract.js';
import type { Batch, LineError } from './batch.js';
import { writeGenres } from './genres-and-venues.js';
import { PERFORMERS_DERIVED } from './derived-columns.js';
import { referencesTo, withReferences } from './references.js';
import { refreshDependents } from './refresh.js';
import { performerRow } from './rows.js';
import { writeTaxonomies } from './taxonomies.js';
import { SHOWN_SCORE, type Table, upsert } from './upsert.js';

const TABLE: Table = {
  name: 'discovery_performers',
  own: `
    id bigint, name text, short_name text, slug text, type text, own_taxonomy_ids bigint[], genre_ids bigint[],
    primary_genre_ids bigint[], imported_score float8, imported_has_upcoming_events bool, name_text text,
    division_text text, own json`,
  preserved: {
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

/** Writes performers with new taxonomies and genres, and refreshes the events of changed ones. */
export async function writePerformers(
  client: ClientBase,
  batch: Batch<CatalogueLine<'performers'>>,
): Promise<LineError[]> {
  const { valid, errors } = await withReferences(client, batch, EMBEDDED, (line) => [
    ...referencesTo('taxonomies', line.taxonomies),
    ...referencesTo('genres', line.genres),
  ]);
  const changed = await upsert(client, TABLE, valid.map(performerRow));
  await refreshDependents(client, 'performers', changed);
  return errors;
}
