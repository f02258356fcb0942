import type { ClientBase } from 'pg';
import type { CatalogueLine } from '../../catalogue.contract.js';
import type { Batch, LineError } from './batch.js';
import { writeVenues } from './genres-and-venues.js';
import { EVENTS_DERIVED } from './derived-columns.js';
import { writePerformers } from './performers.js';
import { referencesTo, withReferences } from './references.js';
import { eventRow } from './rows.js';
import { timeZonesOf } from './time-zones-of.js';
import { writeTaxonomies } from './taxonomies.js';
import { SHOWN_SCORE, type Table, upsert } from './upsert.js';

const stat = (column: string) => `case when old.stats_from_stock then old.${column} else given.given_${column} end`;

const TABLE: Table = {
  name: 'discovery_events',
  own: `
    id bigint, title text, short_title text, type text, datetime_utc timestamp, datetime_local timestamp,
    announce_date timestamp, visible_until timestamp, performer_ids bigint[], primary_performer_ids bigint[],
    home_team_ids bigint[], away_team_ids bigint[], own_taxonomy_ids bigint[], venue_id bigint, imported_score float8,
    own json`,
  given: 'given_listing_count int, given_average_price float8, given_lowest_price float8, given_highest_price float8',
  preserved: {
    score: SHOWN_SCORE,
    listing_count: stat('listing_count'),
    average_price: stat('average_price'),
    lowest_price: stat('lowest_price'),
    highest_price: stat('highest_price'),
  },
  derived: EVENTS_DERIVED,
};

const EMBEDDED = [
  ['taxonomies', writeTaxonomies],
  ['venues', writeVenues],
  ['performers', writePerformers],
] as const;

/** Writes events, and embedded documents that are new. Stats of events with listings are updated soon after. */
export async function writeEvents(client: ClientBase, batch: Batch<CatalogueLine<'events'>>): Promise<LineError[]> {
  const { valid, errors } = await withReferences(client, batch, EMBEDDED, (line) => [
    { kind: 'venues', path: 'venue', document: line.venue },
    ...referencesTo('performers', line.performers),
    ...referencesTo('taxonomies', line.taxonomies),
  ]);
  const zones = await timeZonesOf(
    client,
    valid.map(({ venue }) => venue.id),
  );
  const rows = valid.map((line) => eventRow(line, zones.get(line.venue.id)));
  const changed = await upsert(client, TABLE, rows);
  if (changed.length > 0) await client.query(MARK_CHANGED_STOCK, [changed]);
  return errors;
}

// Marks new events that already have listings, so that their stats are computed.
const MARK_CHANGED_STOCK = `
  insert into discovery_changed_stock (event_id)
  select given.id::text from unnest($1::bigint[]) as given (id) join discovery_events using (id)
  where not stats_from_stock and exists (select from listings where event_id = given.id::text)`;
