/** What a lib contains, and what it may import. */
export type Lib = Readonly<{
  is: string;
  /** Libs above it in the list. */
  imports: readonly string[];
  /** Libs of which it imports only types. */
  types?: readonly string[];
  /** Further libs that its specs may import. */
  specs?: readonly string[];
  /** Some of its folders, lowest first: each imports only those before it. The other folders beside them are layers too, or breaches. */
  layers?: readonly string[];
}>;

/** The map of the libs, lowest first: each imports only libs before it. */
export const LIBS: Readonly<Record<string, Lib>> = {
  domain: {
    is: 'The rules of orders and money, without input or output.',
    imports: [],
  },
  client: {
    is: 'The published client for receivers of webhooks and readers of the ping stream.',
    imports: [],
  },
  base: {
    is: 'Settings from the environment, sealing and tokens, clock, ids, randomness, waits, JSON, spans of traces.',
    imports: ['domain'],
    specs: ['accounts', 'desk', 'orders'],
  },
  database: {
    is: 'Connections to Postgres, migrations, transactions and locks.',
    imports: ['base'],
  },
  platform: {
    is: 'What every process needs: log, metrics, traces, liveness, the runner of background tasks, and files.',
    imports: ['base', 'database'],
    specs: ['accounts'],
  },
  'event-store': {
    is: 'Event streams, the feed of all events, subscriptions to it, and the chain of hashes over it. It knows no event types.',
    imports: ['base', 'database', 'platform'],
  },
  'delivery-kit': {
    is: 'Parts of delivery over HTTP: retry schedule, circuit breaker, rate limiter, batcher, lease, address guard, job queues (BullMQ).',
    imports: ['base', 'database', 'platform'],
  },
  mail: {
    is: 'The outbox of all e-mails, and how they reach the mail server. Features only say what to write, and to whom.',
    imports: ['base', 'database', 'platform'],
  },
  web: {
    is: 'The HTTP server without its routes: limits, errors, repeated requests, pages for people, and the schemas that all contracts share.',
    imports: ['base', 'database', 'delivery-kit', 'domain', 'event-store', 'platform'],
    specs: ['accounts', 'desk', 'orders', 'outbound'],
  },
  accounts: {
    is: 'Who may do what: operators, sessions, API tokens, clients and their signatures, discovery keys, and the audit log.',
    imports: ['base', 'database', 'delivery-kit', 'domain', 'mail', 'platform', 'web'],
    types: ['event-store'],
    specs: ['desk'],
  },
  discovery: {
    is: 'The catalogue of events, performers and venues, its search in memory, the public API over it, and the directory of pages.',
    imports: ['accounts', 'base', 'database', 'delivery-kit', 'platform', 'web'],
    specs: ['listings'],
    layers: [
      'search/query',
      'search/text',
      'search/columns',
      'search/indexing',
      'search/geocoding',
      'search/engine',
      'search/recommendations',
      'search/answers',
    ],
  },
  payments: {
    is: 'Payment providers: what Willcall asks of one, and each of them.',
    imports: ['base', 'database', 'delivery-kit'],
  },
  outbound: {
    is: 'What leaves for others: pings to the platform and their replays, the stream of all pings, and webhooks.',
    imports: ['accounts', 'base', 'database', 'delivery-kit', 'domain', 'platform', 'web'],
    types: ['event-store'],
  },
  listings: {
    is: 'Listings, their stock and their import.',
    imports: ['accounts', 'base', 'database', 'discovery', 'domain', 'web'],
    types: ['event-store'],
  },
  orders: {
    is: 'Orders: checkout, commands, deadlines, payments, fraud rules, read models and search.',
    imports: [
      'accounts',
      'base',
      'database',
      'delivery-kit',
      'discovery',
      'domain',
      'event-store',
      'listings',
      'outbound',
      'payments',
      'platform',
      'web',
    ],
    specs: ['desk', 'upkeep'],
  },
  sandbox: {
    is: 'The built-in platform: it buys test tickets, receives our pings and reads the purchases back.',
    imports: [
      'accounts',
      'base',
      'client',
      'database',
      'delivery-kit',
      'domain',
      'listings',
      'orders',
      'platform',
      'web',
    ],
  },
  fulfilment: {
    is: 'How tickets reach buyers: files, links and mails.',
    imports: [
      'accounts',
      'base',
      'database',
      'delivery-kit',
      'discovery',
      'domain',
      'event-store',
      'listings',
      'mail',
      'orders',
      'platform',
      'web',
    ],
    specs: ['desk', 'upkeep'],
  },
  money: {
    is: 'The money of orders: refunds, the ledger, disputes, what payment providers say, and the comparison with their lists.',
    imports: [
      'accounts',
      'base',
      'database',
      'domain',
      'event-store',
      'fulfilment',
      'orders',
      'outbound',
      'payments',
      'platform',
      'web',
    ],
    specs: ['desk', 'upkeep'],
  },
  desk: {
    is: 'The work of staff: work queues, jobs, files of orders, reports, timeline, saved views, the audit page.',
    imports: [
      'accounts',
      'base',
      'database',
      'discovery',
      'domain',
      'event-store',
      'fulfilment',
      'listings',
      'mail',
      'money',
      'orders',
      'outbound',
      'platform',
      'web',
    ],
    specs: ['payments', 'upkeep'],
  },
  upkeep: {
    is: 'Verification of the tables against the events, rebuilds, changes of the key, retention, and the anchors of the ledger.',
    imports: [
      'accounts',
      'base',
      'database',
      'delivery-kit',
      'desk',
      'discovery',
      'domain',
      'event-store',
      'fulfilment',
      'orders',
      'outbound',
      'platform',
      'web',
    ],
  },
};
