import type { ClientBase } from 'pg';
import type { CatalogueLine } from '../../catalogue.contract.js';
import type { Batch, LineError } from './batch.js';
import { VENUE_DOCUMENT } from './derived-columns.js';
import { refreshDependents } from './refresh.js';
import { genreRow, venueRow } from './rows.js';
import { SHOWN_SCORE, type Table, upsert } from './upsert.js';

const GENRES: Table = {
  name: 'discovery_genres',
  own: 'id bigint, name text, slug text, image text, images json, document json',
};

const VENUES: Table = {
  name: 'discovery_venues',
  own: `
    id bigint, name text, slug text, city text, state text, country text, postal_code text, lat float8, lon float8,
    imported_score float8, place_text text, time_zone text, own json`,
  preserved: { score: SHOWN_SCORE },
  derived: {
    columns: ['name_text', 'document'],
    query: `derived as (select id, name as name_text, ${VENUE_DOCUMENT('own', 'score')} as document from facts)`,
  },
};

/** Writes genres and refreshes the performers that have changed ones. */
export async function writeGenres(client: ClientBase, batch: Batch<CatalogueLine<'genres'>>): Promise<LineError[]> {
  const changed = await upsert(client, GENRES, [...batch.values()].map(genreRow));
  await refreshDependents(client, 'genres', changed);
  return [];
}

/** Writes venues and refreshes the events at changed ones. */
export async function writeVenues(client: ClientBase, batch: Batch<CatalogueLine<'venues'>>): Promise<LineError[]> {
  const changed = await upsert(client, VENUES, [...batch.values()].map(venueRow));
  await refreshDependents(client, 'venues', changed);
  return [];
}
