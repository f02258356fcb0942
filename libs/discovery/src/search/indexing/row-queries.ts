import type { EventRow, PerformerRow, VenueRow } from '../columns/rows.js';

export type IndexedRows = Readonly<{ events: EventRow; venues: VenueRow; performers: PerformerRow }>;
export type IndexedKind = keyof IndexedRows;

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const COLUMNS: Readonly<Record<IndexedKind, string>> = {
  events: `id, title, short_title, type, ${milliseconds('datetime_utc')} as utc, ${milliseconds('datetime_local')} as local,
    ${milliseconds('announce_date')} as announced, ${milliseconds('visible_until')} as visible_until,
    performer_ids, primary_performer_ids, home_team_ids, away_team_ids, own_taxonomy_ids, venue_id, listing_count,
    average_price, lowest_price, highest_price, score`,
  venues: 'id, name, slug, city, state, country, postal_code, lat, lon, score, place_text',
  performers: `id, name, short_name, slug, type, taxonomy_ids, genre_slugs, primary_genre_slugs, score, kind_text`,
};

export const rowsById = (kind: IndexedKind) => `select ${COLUMNS[kind]} from discovery_${kind} where id = any ($1)`;

/** $1: read rows after this id; $2: the limit. */
export const rowsAfter = (kind: IndexedKind) =>
  `select ${COLUMNS[kind]} from discovery_${kind} where id > $1 order by id limit $2`;

export const ALL_TAXONOMIES = 'select id, name, parent_id, document::text from discovery_taxonomies order by id';
export const ALL_GENRES = 'select id, name, slug, document::text from discovery_genres order by id';
