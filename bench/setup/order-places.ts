import type { Pool } from 'pg';
import { EVENTS, LISTINGS } from './order-histories.js';

/** What the orders of `loadOrders` are for: the shows of the catalogue and the listings with their seats. */
export async function loadPlaces(owner: Pool): Promise<void> {
  await owner.query(SHOWS, [EVENTS]);
  await owner.query(LISTED, [LISTINGS, EVENTS]);
  await owner.query('vacuum analyze listings, discovery_events, discovery_venues');
}

/** As people know them. */
export const showNameOf = (number: number): string => `Show ${number} Live`;
export const placeOf = (number: number): string => `${number % 200} R${number % 40}`;

const SHOWS = `
  insert into discovery_events (id, title, short_title, type, datetime_utc, datetime_local, performer_ids, primary_performer_ids, home_team_ids,
    away_team_ids, own_taxonomy_ids, taxonomy_ids, taxonomy_names, taxonomy_parent_ids, venue_id, venue_slug, score, imported_score, own, document)
  select 1000 + n, 'Show ' || n || ' Live', 'Show ' || n, 'concert', now(), now(), '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', 1, 'hall', 0, 0,
    '{}', '{}'
  from generate_series(0, $1::int - 1) n`;

const LISTED = `
  insert into listings (id, terms, offered, available, created_at, updated_at)
  select 'listing-' || n, json_build_object('eventId', (1000 + n % $2::int)::text, 'splitRule', 'any', 'section', (n % 200)::text,
    'row', 'R' || n % 40, 'seats', array(select (n % 50 + seat)::text from generate_series(1, 8) seat)), 8, 0, now(), now()
  from generate_series(0, $1::int - 1) n`;
