import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#database/pool';
import type { CatalogueKind, CatalogueLine } from '#contracts/backoffice/catalogue';
import { CatalogueModel } from '../../../../test/support/catalogue-model.js';
import { type CatalogueSet, catalogueSet, chanceFrom } from '../../../../test/support/catalogue-set.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { RandomSearches } from '../../../../test/support/random-searches.js';
import { Catalogue } from '../catalogue.js';
import { IndexedSearch } from './indexed-search.js';
import type { Found } from './paging.js';

const SEED = 20_261_121;
const SEARCHES = 4_000;

let database: TestDatabase;
let pool: Pool;
let catalogue: Catalogue;
let search: IndexedSearch;
let ground: CatalogueSet & { events: () => Generator };

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
  const clock = new FixedClock();
  catalogue = new Catalogue(pool, clock);
  search = new IndexedSearch(pool, clock);
  ground = catalogueSet({ events: 1_500, performers: 200, venues: 120, seed: SEED, from: '2026-10-01', days: 200 });
  await write('taxonomies', ground.taxonomies);
  await write('genres', ground.genres);
  await write('venues', ground.venues);
  await write('performers', ground.performers);
  await write('events', [...ground.events()]);
  return async () => {
    await pool.end();
    await database.drop();
  };
});

afterAll(() => undefined);

async function write<Kind extends CatalogueKind>(kind: Kind, lines: readonly unknown[]): Promise<void> {
  expect(await catalogue.write(kind, lines as CatalogueLine<Kind>[])).toEqual([]);
}

const idsOf = ({ total, documents }: Found) => ({
  total,
  ids: documents.map((document) => (JSON.parse(document) as { id: number }).id),
});

test(`agrees with a model that looks at every document (seed ${SEED})`, async () => {
  const documents = {
    taxonomies: ground.taxonomies,
    genres: ground.genres,
    venues: ground.venues,
    performers: ground.performers,
    events: [...ground.events()],
  };
  const model = new CatalogueModel(documents.taxonomies, documents.venues, documents.performers, documents.events);
  const random = new RandomSearches(documents, chanceFrom(SEED));
  let found = 0;
  for (let at = 0; at < SEARCHES; at++) {
    const asked = random.events();
    const expected = model.events(asked);
    expect(idsOf(await search.events(asked)), JSON.stringify(asked)).toEqual(expected);
    if (expected.total > 0) found++;
  }
  for (let at = 0; at < SEARCHES / 4; at++) {
    const performers = random.performers();
    expect(idsOf(await search.performers(performers)), JSON.stringify(performers)).toEqual(
      model.performers(performers),
    );
    const venues = random.venues();
    expect(idsOf(await search.venues(venues)), JSON.stringify(venues)).toEqual(model.venues(venues));
  }
  // A model is of no use where nothing is found.
  expect(found).toBeGreaterThan(SEARCHES / 2);
});
