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
  'platform-auth': {
    is: 'Who may call: clients and their signatures, discovery keys, the token of staff.',
    imports: ['config', 'crypto', 'database', 'runtime'],
  },
  operations: {
    is: 'What every process stands on: log, metrics, liveness, connections, and the runner of background tasks.',
    imports: ['config', 'crypto', 'database', 'platform-auth', 'runtime'],
  },
  delivery: {
    is: 'What delivers over HTTP needs: retry schedule, circuit breaker, rate limiter, batcher, lease, address guard, and the queues of jobs (BullMQ).',
    imports: ['config', 'database', 'operations', 'runtime'],
  },
  'event-store': {
    is: 'Streams of events, the feed of all of them, and what follows it. It knows no kind of event.',
    imports: ['database', 'operations', 'runtime'],
  },
  catalogue: {
    is: 'The write model of events, performers and venues: import, references, stats, popularity, postal codes.',
    imports: ['config', 'contracts', 'database', 'operations', 'runtime'],
    specs: ['orders'],
  },
  search: {
    is: 'Search in the catalogue: an index in memory, filters, ranking, recommendations and geocoding.',
    imports: ['catalogue', 'config', 'database', 'runtime'],
    specs: ['contracts'],
    layers: ['query', 'text', 'columns', 'indexing', 'geocoding', 'engine', 'recommendations', 'answers'],
  },
  pings: {
    is: 'Purchase pings to the platform, their repair, and the platform that the sandbox plays.',
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
    is: 'Orders: the commands, listings and their stock, payments, and the read models.',
    imports: [
      'config',
      'contracts',
      'crypto',
      'database',
      'delivery',
      'domain',
      'event-store',
      'operations',
      'pings',
      'runtime',
    ],
  },
  'ping-stream': {
    is: 'All pings as one stream, which integrations follow.',
    imports: ['crypto', 'database', 'operations', 'orders', 'runtime'],
    specs: ['domain', 'event-store'],
  },
  webhooks: {
    is: 'Webhooks to receivers of the marketplace.',
    imports: ['config', 'crypto', 'database', 'delivery', 'operations', 'ping-stream', 'runtime'],
    types: ['contracts'],
  },
  verification: {
    is: 'Compares the tables with a replay of the events.',
    imports: ['domain', 'event-store', 'orders', 'ping-stream', 'pings'],
    specs: ['runtime'],
  },
};
