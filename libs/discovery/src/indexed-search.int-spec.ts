import type { Pool } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import type { CatalogueKind, CatalogueLine } from './catalogue.contract.js';
import { cases } from '../../../test/support/cases.js';
import {
  isRecorded,
  KINDS,
  generatedCatalogue,
  recordedCatalogue,
} from '../../../test/support/discovery/whole-catalogues.js';
import { CatalogueModel, type CatalogueDocuments } from '../../../test/support/discovery/catalogue-model.js';
import { seededRandom } from '../../../test/support/discovery/generated-catalogue.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { RandomSearches } from '../../../test/support/discovery/random-searches.js';
import { Catalogue } from './catalogue.js';
import { IndexedSearch } from './indexed-search.js';
import type { SearchResult } from './search/query/paging.js';

const SEED = 20_261_121;
const EVENT_SEARCHES = cases(600);
const OTHER_SEARCHES = cases(100);
const AT_ONCE = 50;

let pool: Pool;
let databaseUrl: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  databaseUrl = database.url;
  pool = createPool({ databaseUrl, max: 4, applicationName: 'test', onError: () => undefined });
  return async () => {
    await pool.end();
    await database.drop();
  };
});

const generated = () =>
  generatedCatalogue({ events: 1_000, performers: 150, venues: 100, seed: SEED, from: '2026-10-01', days: 200 });

async function load(documents: CatalogueDocuments): Promise<IndexedSearch> {
  await pool.query(KINDS.map((kind) => `delete from discovery_${kind}`).join(';'));
  const catalogue = new Catalogue(pool, new FixedClock());
  for (const kind of KINDS) await write(catalogue, kind, documents[kind] as readonly never[]);
  return new IndexedSearch(pool, new FixedClock(), parseSettings({}));
}

async function write<Kind extends CatalogueKind>(
  catalogue: Catalogue,
  kind: Kind,
  lines: readonly CatalogueLine<Kind>[],
) {
  expect(await catalogue.write(kind, lines)).toEqual([]);
}

/** In groups, which share their checks of the database. */
async function each(count: number, search: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, search));
}

const answered = ({ total, documents }: SearchResult) => ({
  total,
  ids: documents.map(({ json }) => (JSON.parse(json) as { id: number }).id),
});

test.each([
  ['a made-up catalogue', generated],
  ...(isRecorded ? [['the recorded one', recordedCatalogue] as const] : []),
] as const)(`agrees over %s with a model that looks at every document (seed ${SEED})`, async (_, makeCatalogue) => {
  const documents = makeCatalogue();
  const search = await load(documents);
  const model = new CatalogueModel(documents);
  const random = new RandomSearches(documents, seededRandom(SEED));
  let found = 0;
  await each(EVENT_SEARCHES, async () => {
    const asked = random.events();
    const expected = model.events(asked);
    expect(answered(await search.events(asked)), JSON.stringify(asked)).toEqual(expected);
    if (expected.total > 0) found++;
  });
  await each(OTHER_SEARCHES, async () => {
    const [performers, venues] = [random.performers(), random.venues()];
    expect(answered(await search.performers(performers)), JSON.stringify(performers)).toEqual(
      model.performers(performers),
    );
    expect(answered(await search.venues(venues)), JSON.stringify(venues)).toEqual(model.venues(venues));
  });
  // The comparison proves nothing if no search finds anything.
  expect(found).toBeGreaterThan(EVENT_SEARCHES / 2);
});
