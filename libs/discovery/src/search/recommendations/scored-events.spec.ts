import { beforeEach, describe, expect, it } from 'vitest';
import { CatalogueIndex } from '../columns/catalogue-index.js';
import type { EventRow } from '../columns/rows.js';
import { scoredEvents } from './scored-events.js';

const NEW_YORK = { lat: 40.7505, lon: -73.9934 };
const asked = { seed: { performerIds: [1] }, near: { ...NEW_YORK, rangeMetres: 1_000 }, page: 1, perPage: 10 };

const event = (id: number, performerId: number): EventRow => ({
  id,
  title: `Event ${id}`,
  short_title: `Event ${id}`,
  type: 'concert',
  utc: 0,
  local: 0,
  announced: null,
  visible_until: null,
  performer_ids: [performerId],
  primary_performer_ids: [],
  home_team_ids: [],
  away_team_ids: [],
  own_taxonomy_ids: [10 + performerId],
  venue_id: 1,
  listing_count: null,
  average_price: null,
  lowest_price: null,
  highest_price: null,
  score: 0,
});

let index: CatalogueIndex;
beforeEach(() => {
  index = new CatalogueIndex();
  const named = { city: 'New York', state: 'NY', country: 'US', postal_code: null, place_text: '' };
  index.venues.put({ id: 1, name: 'Hall', slug: 'hall', ...NEW_YORK, ...named, score: 0 }, false);
  for (const id of [1, 2]) {
    const kind = { type: 'band', taxonomy_ids: [10 + id], genre_slugs: [], primary_genre_slugs: [], kind_text: '' };
    const names = { name: `Band ${id}`, short_name: `Band ${id}`, slug: `band-${id}` };
    index.performers.put({ id, ...names, ...kind, score: 0 }, false);
  }
  for (let id = 1; id <= 3_000; id++) index.events.put(event(id, id % 3 === 0 ? 1 : 2), false);
});

const quietly = async () => undefined;

describe('events scored in slices', () => {
  it('are all events with a shared feature, whatever the page', async () => {
    const walked: number[] = [];
    for (let page = 1; page <= 10; page++) {
      const found = await scoredEvents(index, { ...asked, page, perPage: 100 }, new Map(), quietly);
      expect(found.total).toBe(1_000);
      walked.push(...found.page.map(({ id }) => id));
    }
    expect(walked).toEqual(Array.from({ length: 1_000 }, (_, at) => 3 * at + 3));
  });

  it('count as they are when the loop reaches them', async () => {
    let rests = 0;
    const changing = async () => {
      if (rests++ > 0) return;
      // The slots of removed events are reused by events that match as well.
      for (let id = 3; id <= 300; id += 3) index.events.remove(id);
      for (let id = 5_001; id <= 5_100; id++) index.events.put(event(id, 1), false);
      index.events.put(event(600, 2), false);
      index.events.put(event(601, 1), false);
    };
    const { total, page } = await scoredEvents(index, asked, new Map(), changing);
    expect(rests).toBeGreaterThan(2);
    expect(total).toBe(1_000 - 100);
    expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => 303 + 3 * at));
    const now = await scoredEvents(index, asked, new Map(), quietly);
    expect(now.total).toBe(1_000);
  });
});
