import type { ClientBase } from 'pg';
import { timeZoneOf, type VenuePlace } from '../../venue-time-zone.js';

/** The time zones of venues by id. Those without a time zone and without coordinates are missing. */
export async function timeZonesOf(client: ClientBase, venueIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await client.query<VenuePlace & { id: number }>(
    'select id, time_zone, lat, lon from discovery_venues where id = any($1)',
    [[...new Set(venueIds)]],
  );
  const zones = new Map<number, string>();
  for (const { id, ...place } of rows) {
    const zone = await timeZoneOf(place);
    if (zone !== undefined) zones.set(id, zone);
  }
  return zones;
}
