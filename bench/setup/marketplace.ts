import { randomBytes } from 'node:crypto';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import type { ListingBody } from '#listings/listing.contract';
import { Listings } from '#listings/listings';
import { ClientRegistry } from '#accounts/clients';
import { Sealer } from '#base/sealing';
import { type BenchDatabase, createDatabase } from './database.js';
import type { Signer } from './requests.js';
import { type Service, startService } from './service.js';

/** A database with listings and a platform client of each variant, and functions that start api and worker on it. */
export type Marketplace = Readonly<{
  database: BenchDatabase;
  /** With the key of api and worker. */
  sealer: Sealer;
  clients: Readonly<Record<'wholesale' | 'payment', Signer>>;
  /** They never sell out. */
  listingIds: readonly string[];
  /** Eight tickets each, for lookups. */
  seatIds: readonly string[];
  startApi(more?: More): Promise<Service>;
  startWorker(more?: More): Promise<Service>;
}>;

type More = Readonly<{ environment?: Record<string, string>; nodeOptions?: readonly string[] }>;

const LISTINGS = 200;

// More than any run buys, because only sales are measured.
const TICKETS = 10_000_000;

export async function createMarketplace(serverOptions?: Record<string, string>): Promise<Marketplace> {
  const database = await createDatabase(serverOptions);
  const encryptionKey = randomBytes(32);
  const sealer = new Sealer(encryptionKey, new SystemRandomness());
  const clients = await createClients(database, sealer);
  const listingIds = Array.from({ length: LISTINGS }, (_, index) => `lst-${index + 1}`);
  const seatIds = listingIds.map((id) => `few-${id}`);
  await new Listings(database.owner, new SystemClock()).putAll([
    ...listingIds.map((id) => ({ id, body: LISTING })),
    ...seatIds.map((id) => ({ id, body: { ...LISTING, quantity: 8 } })),
  ]);
  await database.owner.query('analyze');
  const environment = (more: Record<string, string>) => ({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    REQUIRE_HTTPS: 'false',
    SANDBOX: 'true',
    PAYMENT_PROVIDER: 'sandbox',
    LOG_LEVEL: 'info',
    CHECKOUT_RATE_PER_SECOND: '1000000',
    ...more,
  });
  return {
    database,
    sealer,
    clients,
    listingIds,
    seatIds,
    startApi: ({ nodeOptions = [], ...more } = {}) =>
      startService({
        file: 'programs/api.js',
        environment: (port) => environment({ PORT: `${port}`, OPERATIONS_PORT: `${port}`, ...more.environment }),
        readyPath: '/health/ready',
        nodeOptions,
      }),
    startWorker: (more = {}) =>
      startService({
        file: 'programs/worker.js',
        environment: (port) => environment({ WORKER_PORT: `${port}`, ...more.environment }),
        readyPath: '/health/ready',
      }),
  };
}

export const LISTING: ListingBody = {
  event_id: '5512',
  section: 'Section 101',
  row: 'K',
  seats: ['11', '12', '13', '14'],
  notes: 'Aisle seats. Mobile entry only, no re-entry after the first half.',
  quantity: TICKETS,
  split_rule: 'any',
  price: 100,
  fees: 10,
  wholesale_price: 90,
  tax_rate: 0.05,
  tax_rates: { 'US-NY': 0.08875, 'US-CA': 0.0725, 'CA-ON': 0.13 },
  delivery_methods: [
    { type: 'download', name: 'E-tickets', cost: 0 },
    { type: 'ship', name: 'UPS 2nd day', cost: 15, costs: { US: 15, 'US-HI': 30, CA: 25 } },
  ],
  confirmation: 'automatic',
  speculative: false,
  market_specific_fields: { venue_config: 'end-stage', in_hand: true },
};

async function createClients({ owner }: BenchDatabase, sealer: Sealer): Promise<Marketplace['clients']> {
  const registry = new ClientRegistry(owner, sealer, new SystemClock(), new TimeOrderedIds(), new SystemRandomness());
  const create = async (variant: 'wholesale' | 'payment'): Promise<Signer> => {
    const made = await registry.create({ name: variant, variant });
    if ('error' in made) throw new Error(made.message);
    return { clientId: made.clientId, secret: made.secret };
  };
  return { wholesale: await create('wholesale'), payment: await create('payment') };
}
