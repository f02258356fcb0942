/** What a lib is for, and what it may import. */
export type Lib = Readonly<{
  is: string;
  /** Libs above it in the list. */
  imports: readonly string[];
  /** Of these types only. */
  types?: readonly string[];
  /** What its specs may import beside that. */
  specs?: readonly string[];
  /** Its folders, the lowest first: each imports only folders before it. */
  layers?: readonly string[];
}>;

/** The map of the libs, from those that know nothing of the others to those that put them together. */
export const LIBS: Readonly<Record<string, Lib>> = {
  domain: { is: 'The rules of orders and money, without input or output.', imports: [] },
  client: { is: 'The published client for receivers of webhooks and readers of the ping stream.', imports: [] },
  runtime: {
    is: 'What a process runs on: clock, ids, randomness, waits, repeated work, work of one process only.',
    imports: [],
  },
  contracts: { is: 'The schemas of requests and answers.', imports: ['domain'] },
  config: { is: 'The settings, read from the environment.', imports: ['domain'] },
  crypto: { is: 'Sealing, HMAC and tokens.', imports: ['runtime'] },
  database: { is: 'Connections to Postgres, migrations, transactions and locks.', imports: ['config', 'runtime'] },
  delivery: {
    is: 'What delivers over HTTP needs: retry schedule, circuit breaker, rate limiter, batcher, lease, address guard.',
    imports: ['runtime'],
  },
  'platform-auth': {
    is: 'Who may call: clients and their signatures, discovery keys, the token of staff.',
    imports: ['crypto', 'database', 'runtime'],
  },
  operations: { is: 'Log, metrics, traces and liveness.', imports: ['database', 'platform-auth', 'runtime'] },
  queues: { is: 'Jobs in Redis or Postgres, by BullMQ.', imports: ['database', 'operations', 'runtime'] },
  'event-store': {
    is: 'Streams of events, the feed of all of them, and what follows it. It knows no kind of event.',
    imports: ['database', 'runtime'],
  },
  projections: {
    is: 'The read models of orders.',
    imports: ['database', 'domain', 'event-store'],
    specs: ['runtime'],
  },
  payments: { is: 'The payment provider.', imports: ['database', 'runtime'] },
  inventory: {
    is: 'Listings and their stock.',
    imports: ['contracts', 'database', 'domain', 'runtime'],
    types: ['event-store'],
  },
  catalogue: {
    is: 'The write model of events, performers and venues: import, references, stats, popularity, postal codes.',
    imports: ['contracts', 'database', 'runtime'],
    specs: ['inventory'],
  },
  search: {
    is: 'Search in the catalogue: an index in memory, filters, ranking, recommendations and geocoding.',
    imports: ['catalogue', 'config', 'database', 'runtime'],
    specs: ['contracts'],
    layers: ['query', 'text', 'columns', 'indexing', 'geocoding', 'engine', 'recommendations', 'answers'],
  },
  ordering: {
    is: 'The commands on orders.',
    imports: ['config', 'contracts', 'crypto', 'database', 'domain', 'event-store', 'inventory', 'payments', 'runtime'],
    specs: ['wiring'],
  },
  'ping-stream': {
    is: 'All pings as one stream, which integrations follow.',
    imports: ['crypto', 'database', 'projections', 'runtime'],
    specs: ['domain', 'event-store'],
  },
  pings: {
    is: 'Purchase pings to the platform.',
    imports: ['database', 'delivery', 'domain', 'platform-auth', 'queues', 'runtime'],
    types: ['contracts', 'event-store'],
  },
  webhooks: {
    is: 'Webhooks to receivers of the marketplace.',
    imports: ['crypto', 'database', 'delivery', 'ping-stream', 'queues', 'runtime'],
    types: ['contracts'],
  },
  'delivery-repair': {
    is: 'Replays, and what shows that a receiver has missed something.',
    imports: ['database', 'delivery', 'pings', 'runtime'],
    types: ['contracts'],
  },
  'sandbox-platform': {
    is: 'The platform that the sandbox plays.',
    imports: ['client', 'contracts', 'platform-auth', 'queues', 'runtime'],
    specs: ['database'],
  },
  verification: {
    is: 'Compares the tables with a replay of the events.',
    imports: ['domain', 'event-store', 'ordering', 'ping-stream', 'pings', 'projections'],
    specs: ['runtime'],
  },
  wiring: {
    is: 'The Nest modules that several apps share.',
    imports: [
      'config',
      'crypto',
      'database',
      'delivery',
      'delivery-repair',
      'domain',
      'event-store',
      'inventory',
      'operations',
      'ordering',
      'payments',
      'ping-stream',
      'pings',
      'platform-auth',
      'projections',
      'queues',
      'runtime',
      'sandbox-platform',
      'webhooks',
    ],
  },
};
