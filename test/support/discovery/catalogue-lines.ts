import type { CatalogueLine } from '#discovery/catalogue.contract';

/** Small valid documents. `change` replaces fields. */

export const concert = { id: 2_000_000, name: 'concert', parent_id: null };

export function venueLine(id: number, change: Partial<CatalogueLine<'venues'>> = {}): CatalogueLine<'venues'> {
  const location = { lat: 40.7505, lon: -73.9934 };
  return {
    id,
    name: `Venue ${id}`,
    city: 'New York',
    state: 'NY',
    country: 'US',
    postal_code: '10001',
    location,
    ...change,
  };
}

export function performerLine(
  id: number,
  change: Partial<CatalogueLine<'performers'>> = {},
): CatalogueLine<'performers'> {
  return { id, name: `Performer ${id}`, slug: `performer-${id}`, type: 'band', taxonomies: [concert], ...change };
}

/** At venue 1 with performer 1. They are created with the event if they do not exist. */
export function eventLine(id: number, change: Partial<CatalogueLine<'events'>> = {}): CatalogueLine<'events'> {
  return {
    id,
    title: `Event ${id}`,
    type: 'concert',
    datetime_local: '2026-12-01T19:30:00',
    datetime_utc: '2026-12-02T00:30:00',
    venue: venueLine(1),
    performers: [{ ...performerLine(1), primary: true }],
    taxonomies: [concert],
    ...change,
  };
}
