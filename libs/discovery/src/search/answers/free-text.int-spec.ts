import type { Pool } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import type { CatalogueKind, CatalogueLine } from '../../catalogue.contract.js';
import { createTestDatabase } from '../../../../../test/support/database.js';
import { FixedClock } from '../../../../../test/support/fixed-clock.js';
import { Catalogue } from '../../catalogue.js';
import { IndexedSearch } from '../../indexed-search.js';
import type { SearchResult } from '../query/paging.js';

// A Thursday: the weekend begins tomorrow.
const clock = new FixedClock('2026-11-19T20:00:00.000Z');
let search: IndexedSearch;

const TAXONOMIES = [
  { id: 1, name: 'sports' },
  { id: 2, name: 'mlb', parent_id: 1 },
  { id: 3, name: 'concert' },
  { id: 4, name: 'theater' },
  { id: 5, name: 'comedy', parent_id: 4 },
  { id: 6, name: 'ncaa_football', parent_id: 1 },
];
const GENRES = [{ id: 1, name: 'Hip-Hop', slug: 'hip-hop' }];
const VENUES = [
  { id: 1, name: 'Yankee Stadium', city: 'Bronx', state: 'NY', country: 'US', postal_code: '10451' },
  { id: 2, name: 'Fenway Park', city: 'Boston', state: 'MA', country: 'US', address: '4 Jersey Street' },
  { id: 3, name: 'Centre Bell', city: 'Montréal', state: 'QC', country: 'CA' },
  { id: 4, name: 'Madison Square Garden', city: 'New York', state: 'NY', country: 'US' },
  { id: 5, name: 'The Boston Comedy Theatre', city: 'Chicago', state: 'IL', country: 'US' },
];
const PERFORMERS = [
  { id: 1, name: 'New York Yankees', short_name: 'Yankees', taxonomies: [{ id: 2 }], score: 0.9 },
  { id: 2, name: 'Boston Red Sox', short_name: 'Red Sox', taxonomies: [{ id: 2 }], score: 0.8 },
  { id: 3, name: 'Beyoncé', taxonomies: [{ id: 3 }], genres: [{ id: 1, primary: true }], score: 1 },
  { id: 4, name: 'Brian May', taxonomies: [{ id: 3 }], score: 0.4 },
  { id: 5, name: 'The The', taxonomies: [{ id: 3 }], score: 0.2 },
  { id: 6, name: 'Hamilton', taxonomies: [{ id: 4 }], score: 0.9 },
  { id: 7, name: 'Hamilton Leithauser', taxonomies: [{ id: 3 }], score: 0.3 },
  { id: 8, name: 'Wrestling Champions', taxonomies: [{ id: 1 }], score: 0.3 },
  { id: 9, name: 'Beyoncé Tribute', taxonomies: [{ id: 3 }], score: 0.1 },
];

type EventSketch = readonly [
  id: number,
  title: string,
  performers: readonly number[],
  venue: number,
  local: string,
  score?: number,
];
const EVENTS: readonly EventSketch[] = [
  [1, 'Boston Red Sox at New York Yankees', [1, 2], 1, '2026-11-21T13:05:00', 0.9],
  [2, 'Boston Red Sox at New York Yankees', [1, 2], 1, '2026-12-05T19:05:00', 0.9],
  [3, 'New York Yankees at Boston Red Sox', [2, 1], 2, '2026-11-22T13:35:00', 0.8],
  [4, 'Beyoncé', [3], 3, '2026-11-20T20:00:00', 1],
  [5, 'Brian May', [4], 4, '2026-11-19T19:00:00', 0.4],
  [6, 'The The', [5], 4, '2027-05-08T20:00:00', 0.2],
  [7, 'Hamilton', [6], 5, '2027-01-10T20:00:00', 0.5],
  [8, 'Hamilton Leithauser', [7], 4, '2026-12-01T20:00:00', 1],
  [9, 'Laughs', [], 5, '2026-12-11T21:00:00', 0.1],
  [10, 'Beyoncé Tribute Night', [9], 2, '2026-12-02T20:00:00', 0.1],
  [11, 'Wrestling Champions', [8], 4, '2026-11-27T20:00:00', 0.3],
  [13, 'Laughs and Wrestling', [], 5, '2026-12-10T21:00:00', 1],
  [12, 'New York Yankees at Boston Red Sox', [2, 1], 2, '2026-06-14T19:10:00', 0.9],
];

const KINDS_OF: Readonly<Record<number, number>> = { 4: 3, 5: 3, 6: 3, 7: 4, 8: 3, 9: 5, 10: 3, 11: 1, 13: 5 };

beforeAll(async () => {
  const database = await createTestDatabase();
  const pool: Pool = createPool({
    databaseUrl: database.url,
    max: 2,
    applicationName: 'test',
    onError: () => undefined,
  });
  const catalogue = new Catalogue(pool, clock);
  const write = async <Kind extends CatalogueKind>(kind: Kind, lines: readonly CatalogueLine<Kind>[]) =>
    expect(await catalogue.write(kind, lines)).toEqual([]);
  await write('taxonomies', TAXONOMIES);
  await write('genres', GENRES);
  await write('venues', VENUES);
  await write('performers', PERFORMERS);
  await write('events', EVENTS.map(eventOf));
  search = new IndexedSearch(pool, clock, parseSettings({}));
  return async () => {
    await pool.end();
    await database.drop();
  };
});

function eventOf([id, title, performers, venue, local, score = 0]: EventSketch): CatalogueLine<'events'> {
  const utc = new Date(Date.parse(`${local}Z`) + 5 * 3_600_000).toISOString().slice(0, 19);
  return {
    id,
    title,
    datetime_local: local,
    datetime_utc: utc,
    performers: performers.map((performer) => ({ id: performer })),
    venue: { id: venue },
    taxonomies: [{ id: KINDS_OF[id] ?? 2 }],
    score,
  };
}

const paging = { page: 1, perPage: 50 };
const idsOf = (documents: SearchResult['documents']) =>
  documents.map(({ json }) => (JSON.parse(json) as { id: number }).id);
const events = async (q: string) => idsOf((await search.events({ ...paging, q })).documents);

describe('events', () => {
  test.each([
    // Home games this weekend; the away game is in Boston.
    ['yankees tickets in new york this weekend', [1]],
    ['yankees this weekend', [1, 3]],
    ['yankees in boston', [3, 12]],
    ['yankees in massachusetts', [3, 12]],
    ['YANKEES', [1, 2, 3, 12]],
    ['new-york-yankees', [1, 2, 3, 12]],
    ['red sox december', [2]],
    ['mlb in june', [12]],
    ['brian may', [5]],
    ['concerts tonight', [5]],
    ['concerts tomorrow', [4]],
    ['concert next week', []],
    ['the the may 2027', [6]],
    // Weak words are optional: a night of songs at Fenway matches too.
    ['games at fenway', [3, 10, 12]],
  ])('%j finds %j', async (q, ids) => {
    expect(await events(q)).toEqual(ids);
  });

  test.each([
    ['an exact name comes first, though others have more', 'hamilton', [7, 8]],
    ['an exact name comes first', 'beyonce', [4, 10]],
    ['the name of an event, too', 'laughs', [9, 13]],
    ['accents do not count', 'Béyonce', [4, 10]],
    ['nor do they in places', 'beyoncé montreal', [4]],
    ['endings do not count', 'wrestle champion', [11]],
    ['nor do ways to spell', 'boston comedy theater', [7, 9, 13]],
    ['a slip is forgiven', 'yankes', [1, 2, 3, 12]],
    ['so are two in a long word', 'wresling champoins', [11]],
    ['and a word that is not finished', 'yank', [1, 2, 3, 12]],
    ['words of every part count', 'red sox bronx', [1, 2]],
    ['so do genres', 'hip hop', [4]],
    ['and parents of taxonomies', 'theater', [7, 9, 13]],
    ['a place may be part of a name', 'yankees near fenway', [3, 12]],
    ['all words must be there', 'yankees hamilton', []],
    ['nonsense is not found', 'qqqqqq', []],
    ['what is a pattern elsewhere is a word here', "yank%' or 1=1 --", []],
  ])('%s: %j', async (_, q, ids) => {
    const found = await events(q);
    if (q === 'theater' || q === 'boston comedy theater') expect(new Set(found)).toEqual(new Set(ids));
    else expect(found).toEqual(ids);
  });

  test('several weak words together can be a name', async () => {
    expect((await events('The The'))[0]).toBe(6);
  });

  test('an explicit sort wins over relevance', async () => {
    const sorted = await search.events({ ...paging, q: 'hamilton', sort: { field: 'score', direction: 'desc' } });
    expect(idsOf(sorted.documents)).toEqual([8, 7]);
  });

  test('other filters apply too', async () => {
    const { total, documents } = await search.events({ page: 2, perPage: 1, q: 'yankees', venue: { ids: [2] } });
    expect([total, idsOf(documents)]).toEqual([2, [12]]);
  });

  test('today is the day at the venue', async () => {
    // 03:00 in UTC, still the evening before in New York.
    clock.set('2026-11-20T03:00:00.000Z');
    expect(await events('concerts today')).toEqual([5]);
    clock.set('2026-11-19T20:00:00.000Z');
  });
});

test.each([
  ['yankees', [1]],
  ['boston red sox', [2]],
  ['hamilton', [6, 7]],
  ['beyonce', [3, 9]],
  ['mlb', [1, 2]],
  ['hip-hop', [3]],
  ['hamliton', [6, 7]],
  ['the the', [5]],
  ['nobody', []],
])('performers: %j finds %j', async (q, ids) => {
  expect(idsOf((await search.performers({ ...paging, q })).documents)).toEqual(ids);
});

test.each([
  ['yankee stadium', [1]],
  ['fenway', [2]],
  ['boston', [2, 5]],
  ['montreal', [3]],
  ['new york', [1, 4]],
  ['center bell', [3]],
  ['jersey street', [2]],
  ['quebec canada', [3]],
  ['madison squre garden', [4]],
])('venues: %j finds %j', async (q, ids) => {
  expect(new Set(idsOf((await search.venues({ ...paging, q })).documents))).toEqual(new Set(ids));
});
