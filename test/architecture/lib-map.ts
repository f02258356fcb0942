/** What a lib contains, and what it may import. */
export type Lib = Readonly<{
  is: string;
  /** Libs above it in the list. */
  imports: readonly string[];
  /** Libs of which it imports only types. */
  types?: readonly string[];
  /** Further libs that its specs may import. */
  specs?: readonly string[];
  /** Its folders, lowest first: each imports only folders before it. */
  layers?: readonly string[];
}>;

/** The map of the libs, lowest first: each imports only libs before it. */
export const LIBS: Readonly<Record<string, Lib>> = {
  domain: { is: 'The rules of orders and money, without input or output.', imports: [] },
  client: { is: 'The published client for receivers of webhooks and readers of the ping stream.', imports: [] },
  runtime: {
    is: 'Clock, ids, randomness, waits, JSON, repeated work, and work that one process at a time does.',
    imports: [],
  },
  contracts: { is: 'The schemas of requests and answers.', imports: ['domain', 'runtime'] },
  config: { is: 'The settings, read from the environment.', imports: ['contracts'] },
  crypto: { is: 'Sealing, HMAC and tokens.', imports: ['runtime'] },
  database: { is: 'Connections to Postgres, migrations, transactions and locks.', imports: ['config', 'runtime'] },
  'platform-auth': {
    is: 'Authentication: clients and their signatures, discovery keys, the back office token.',
    imports: ['config', 'crypto', 'database', 'runtime'],
  },
  operations: {
    is: 'What every process needs: log, metrics, liveness, connections, and the runner of background tasks.',
    imports: ['config', 'crypto', 'database', 'platform-auth', 'runtime'],
  },
  people: {
    is: 'Operators, sessions, sign-in, API tokens and the audit log.',
    imports: ['config', 'contracts', 'crypto', 'database', 'operations', 'runtime'],
  },
  delivery: {
    is: 'Parts of delivery over HTTP: retry schedule, circuit breaker, rate limiter, batcher, lease, address guard, job queues (BullMQ).',
    imports: ['config', 'database', 'operations', 'runtime'],
  },
  storage: { is: 'Files in a folder or in an S3-compatible service.', imports: ['config'] },
  'event-store': {
    is: 'Event streams, the feed of all events, and subscriptions to it. It knows no event types.',
    imports: ['crypto', 'database', 'delivery', 'operations', 'runtime', 'storage'],
  },
  catalogue: {
    is: 'The write model of events, performers and venues: import, references, stats, popularity, postal codes.',
    imports: ['config', 'contracts', 'database', 'operations', 'runtime'],
    specs: ['orders'],
  },
  search: {
    is: 'Search in the catalogue: an index in memory, filters, ranking, recommendations and geocoding.',
    imports: ['catalogue', 'config', 'database', 'operations', 'runtime'],
    specs: ['contracts'],
    layers: ['query', 'text', 'columns', 'indexing', 'geocoding', 'engine', 'recommendations', 'answers'],
  },
  pings: {
    is: 'Purchase pings to the platform, their repair, and the sandbox platform.',
    imports: [
      'client',
      'config',
      'contracts',
      'database',
      'delivery',
      'domain',
      'operations',
      'platform-auth',
      'runtime',
    ],
    types: ['event-store'],
  },
  orders: {
    is: 'Orders: the commands, policies and fraud rules, listings and their stock, payments, and the read models.',
    imports: [
      'catalogue',
      'config',
      'contracts',
      'crypto',
      'database',
      'delivery',
      'domain',
      'event-store',
      'operations',
      'people',
      'pings',
      'runtime',
      'search',
      'storage',
    ],
  },
  'ping-stream': {
    is: 'All pings as one stream, for integrations.',
    imports: ['crypto', 'database', 'operations', 'orders', 'runtime'],
    types: ['people'],
    specs: ['domain', 'event-store'],
  },
  webhooks: {
    is: 'Webhooks to receivers of the marketplace.',
    imports: ['config', 'contracts', 'crypto', 'database', 'delivery', 'operations', 'ping-stream', 'runtime'],
  },
  verification: {
    is: 'Compares the tables with a replay of the events.',
    imports: ['crypto', 'domain', 'event-store', 'orders', 'ping-stream', 'pings', 'runtime'],
    specs: ['runtime'],
  },
  maintenance: {
    is: 'Rebuilds, verifications and changes of the key with their progress, and how far each projection is behind.',
    imports: [
      'catalogue',
      'config',
      'contracts',
      'crypto',
      'database',
      'domain',
      'event-store',
      'operations',
      'orders',
      'people',
      'ping-stream',
      'platform-auth',
      'runtime',
      'verification',
      'webhooks',
    ],
  },
};
