import type { Pool } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import type { CatalogueLine } from '../../catalogue.contract.js';
import { createTestDatabase } from '../../../../../test/support/database.js';
import { FixedClock } from '../../../../../test/support/fixed-clock.js';
import { until } from '../../../../../test/support/until.js';
import { Catalogue } from '../../catalogue.js';
import { PostalCodes } from '../../postal-codes.js';
import { IndexedSearch } from '../../indexed-search.js';

let databaseUrl: string;
let pool: Pool;
let catalogue: Catalogue;
let search: IndexedSearch;

beforeEach(async () => {
  const database = await createTestDatabase();
  databaseUrl = database.url;
  pool = createPool({ databaseUrl, max: 4, applicationName: 'test', onError: () => undefined });
  catalogue = new Catalogue(pool, new FixedClock());
  search = new IndexedSearch(pool, new FixedClock(), parseSettings({}));
  await catalogue.put('taxonomies', { id: 1, name: 'concert' });
  await catalogue.put('venues', { id: 1, name: 'Old Hall', city: 'Boston', state: 'MA', country: 'US' });
  await catalogue.put('performers', { id: 1, name: 'The Foxes', taxonomies: [{ id: 1 }] });
  await catalogue.put('events', event(1));
  await search.warm();
  return async () => {
    await pool.end();
    await database.drop();
  };
});

const event = (id: number, more: Partial<CatalogueLine<'events'>> = {}): CatalogueLine<'events'> => ({
  id,
  title: `Evening ${id}`,
  datetime_local: '2026-12-01T20:00:00',
  datetime_utc: '2026-12-02T01:00:00',
  venue: { id: 1 },
  performers: [{ id: 1 }],
  taxonomies: [{ id: 1 }],
  ...more,
});

const page = { page: 1, perPage: 10 };
type Search = Parameters<IndexedSearch['events']>[0];
const found = async (asked: Omit<Search, 'page' | 'perPage'> = {}) => {
  const { documents } = await search.events({ ...page, ...asked });
  return documents.map(({ json }) => JSON.parse(json) as { id: number; title: string; venue: { city: string } });
};
const ids = async (asked: Omit<Search, 'page' | 'perPage'> = {}) => (await found(asked)).map(({ id }) => id);

test('the next search finds what was written, and no longer the old version', async () => {
  expect(await ids()).toEqual([1]);
  await catalogue.put('events', event(2, { datetime_utc: '2026-11-30T01:00:00' }));
  expect(await ids()).toEqual([2, 1]);
  await catalogue.put('events', event(2, { title: 'Matinee', datetime_utc: '2026-12-05T01:00:00' }));
  expect((await found()).map(({ title }) => title)).toEqual(['Evening 1', 'Matinee']);
  expect(await ids({ q: 'matinee' })).toEqual([2]);
  expect(await ids({ q: 'evening' })).toEqual([1]);
  await catalogue.remove('events', 1);
  expect(await ids()).toEqual([2]);
  expect(await ids({ ids: [1, 2] })).toEqual([2]);
});

test('a postponed event is found at its new date', async () => {
  const inDecember = {
    venue: { ids: [1] },
    datetimeUtc: [
      { operator: 'gte', at: Date.parse('2026-12-02T00:00:00Z') },
      { operator: 'lt', at: Date.parse('2026-12-30T00:00:00Z') },
    ],
  } as const;
  await catalogue.put('events', event(2, { datetime_utc: '2026-12-20T01:00:00' }));
  expect(await ids(inDecember)).toEqual([1, 2]);
  await catalogue.put('events', event(1, { datetime_utc: '2026-12-25T01:00:00' }));
  expect(await ids(inDecember)).toEqual([2, 1]);
  await catalogue.put('events', event(2, { datetime_utc: '2027-01-20T01:00:00' }));
  expect(await ids(inDecember)).toEqual([1]);
});

test('a change of a performer, venue or taxonomy changes its events', async () => {
  await found();
  await catalogue.put('venues', { id: 1, name: 'New Hall', city: 'Chicago', state: 'IL', country: 'US' });
  expect((await found({ venue: { cities: ['chicago'] } })).map(({ venue }) => venue.city)).toEqual(['Chicago']);
  expect(await ids({ venue: { cities: ['boston'] } })).toEqual([]);
  expect(await ids({ q: 'foxes' })).toEqual([1]);
  await catalogue.put('performers', { id: 1, name: 'The Wolves', taxonomies: [{ id: 1 }] });
  expect(await ids({ q: 'wolves' })).toEqual([1]);
  await catalogue.put('taxonomies', { id: 2, name: 'music' });
  await catalogue.put('taxonomies', { id: 1, name: 'recital', parent_id: 2 });
  expect(await ids({ q: 'recital' })).toEqual([1]);
  expect(await ids({ taxonomies: { names: ['music'] } })).toEqual([1]);
  expect(await search.taxonomies()).toHaveLength(2);
});

test.each(['performers', 'venues'] as const)(
  'the names of removed %s no longer count in the vocabulary',
  async (kind) => {
    await catalogue.put(kind, { id: 2, name: 'December' });
    expect(await ids({ q: 'december' })).toEqual([]);
    await catalogue.remove(kind, 2);
    expect(await ids({ q: 'december' })).toEqual([1]);
  },
);

test('a transaction that commits after a later one is not skipped', async () => {
  await catalogue.put('events', event(2));
  await found();
  const slow = await pool.connect();
  await slow.query('begin');
  await slow.query(`update discovery_events set lowest_price = 5 where id = 1`);
  await pool.query(`update discovery_events set lowest_price = 7 where id = 2`);
  const cheap = { numbers: [{ field: 'lowest_price', operator: 'lt', value: 10 }] } as const;
  expect(await ids(cheap)).toEqual([2]);
  await slow.query('commit');
  slow.release();
  expect(await ids(cheap)).toEqual([1, 2]);
});

test('thousands of changes are applied while searches continue', async () => {
  await catalogue.write(
    'events',
    Array.from({ length: 6_000 }, (_, at) => event(at + 10)),
  );
  const { total } = await search.events(page);
  expect([1, 6_001]).toContain(total);
  await until(async () => (await search.events(page)).total === 6_001, { withinMs: 10_000 });
  await pool.query('delete from discovery_events where id > 600');
  await until(async () => (await search.events(page)).total === 592, { withinMs: 10_000 });
});

test('an emptied table is empty', async () => {
  const owner = createPool({ databaseUrl, asOwner: true, max: 1, applicationName: 'test', onError: () => undefined });
  await owner.query('truncate discovery_events');
  await owner.end();
  expect(await ids()).toEqual([]);
});

test('a change of postal codes does not change the index', async () => {
  await new PostalCodes(pool).put([{ postal_code: '10001', country: 'US', lat: 40, lon: -74 }]);
  expect(await ids()).toEqual([1]);
});

test('concurrent searches share a check of the database, and none sees an older state', async () => {
  for (let round = 0; round < 30; round++) {
    const title = `Round ${round}`;
    await catalogue.put('events', event(1, { title }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => found()));
    expect(answers.map(([first]) => first?.title)).toEqual(Array.from({ length: 5 }, () => title));
  }
});
