import { randomBytes } from 'node:crypto';
import { SystemClock } from '#base/clock';
import { Catalogue } from '#discovery/catalogue';
import type { CatalogueKind, CatalogueLine } from '#discovery/catalogue.contract';
import { generateCatalogue, type GeneratedCatalogue } from '../../test/support/discovery/generated-catalogue.js';
import { type BenchDatabase, createDatabase } from './database.js';
import { type Service, startService } from './service.js';

/** A database with a generated catalogue, and an api that serves it. */
export type DiscoverySetup = Readonly<{
  database: BenchDatabase;
  api: Service;
  set: GeneratedCatalogue;
  size: Readonly<{ events: number; performers: number; venues: number }>;
  remove(): Promise<void>;
}>;

export const KEY = 'bench';

const WHOLE = { events: 200_000, performers: 20_000, venues: 5_000 };
const PART = { events: 20_000, performers: 2_000, venues: 500 };
const AT_ONCE = 1_000;

/** The size of issue 4, or a tenth of it. */
export async function createDiscoverySetup({ quick }: Readonly<{ quick: boolean }>): Promise<DiscoverySetup> {
  const size = quick ? PART : WHOLE;
  const database = await createDatabase();
  // Only upcoming events, because past ones weigh less in the ranking.
  const set = generateCatalogue({ ...size, seed: 20_261_121, from: new Date().toISOString().slice(0, 10), days: 730 });
  const catalogue = new Catalogue(database.owner, new SystemClock());
  await write(catalogue, 'taxonomies', set.taxonomies);
  await write(catalogue, 'genres', set.genres);
  await write(catalogue, 'venues', set.venues);
  await write(catalogue, 'performers', set.performers);
  await write(catalogue, 'events', set.events());
  await database.owner.query('vacuum analyze');
  const api = await startService({
    file: 'programs/api.js',
    environment: (port) => ({
      PORT: `${port}`,
      OPERATIONS_PORT: `${port}`,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      REQUIRE_HTTPS: 'false',
      SANDBOX: 'true',
      LOG_LEVEL: 'info',
      DISCOVERY_CLIENT_ID: KEY,
      DISCOVERY_RATE_PER_SECOND: '1000000',
    }),
    readyPath: '/health/ready',
  });
  const remove = async () => {
    await api.stop();
    await database.remove();
  };
  return { database, api, set, size, remove };
}

async function write<Kind extends CatalogueKind>(
  catalogue: Catalogue,
  kind: Kind,
  documents: Iterable<unknown>,
): Promise<void> {
  let batch: CatalogueLine<Kind>[] = [];
  const flush = async () => {
    const errors = await catalogue.write(kind, batch);
    if (errors.length > 0) throw new Error(`${kind}: ${JSON.stringify(errors.slice(0, 3))}`);
    batch = [];
  };
  for (const document of documents) {
    if (batch.push(document as CatalogueLine<Kind>) === AT_ONCE) await flush();
  }
  await flush();
}
