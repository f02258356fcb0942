import { defineConfig } from 'vitest/config';
import { debianPostgres } from './tools/debian-postgres.mjs';
import { LongestFirst } from './test/support/longest-first.js';

const source = { conditions: ['source', 'node'] };
const ssr = { resolve: { ...source, externalConditions: ['source', 'node'] } };
// The environment in which Vitest loads globalSetup files; it takes nothing over from `ssr`.
const environments = { __vitest__: { resolve: ssr.resolve } };

// More than the two cores of a small machine: these tests wait for PostgreSQL, for processes or for a time-out part of their time.
const INT_WORKERS = 4;
// Each starts three processes and a browser. With three workers, files of half a minute took two, and waited too long for a ping.
const E2E_WORKERS = 2;

// Files of one worker share the modules that they import: loading NestJS anew for each file took longer than the tests.
const isolate = false;

const int = {
  isolate,
  sequence: { groupOrder: 2 },
  globalSetup: ['test/support/cluster.setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: INT_WORKERS,
};

// The lowest layers, whose statements all others use, on the oldest supported server with the defaults of its package.
const ON_DEBIAN = {
  include: [
    'libs/{database,event-store,mail,outbound,listings,orders,sandbox,fulfilment,desk}/src/**/*.int-spec.ts',
    'test/sessions.int-spec.ts',
  ],
  // They start servers of their own, wait for half a minute, state the plans of the newest server, try hundreds of searches, or start whole apis.
  exclude: [
    '*/src/**/*.routes',
    'database/src/embedded-postgres',
    'database/src/postgres-binaries',
    'database/src/dead-peer-detector',
    'orders/src/search/search-plans',
    'orders/src/order-finder',
  ].map((name) => `libs/${name}.int-spec.ts`),
};

/** The kind of a test is in its suffix: .spec (no I/O), .int-spec (Postgres, Redis), .e2e-spec (whole processes), .check-spec (others' servers). */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // The three projects, and the next run, take over what one of them has compiled.
    experimental: { fsModuleCache: true },
    projects: [
      {
        resolve: source,
        ssr,
        test: {
          name: 'unit',
          include: ['{apps,libs,test,bench}/**/*.spec.{ts,tsx}'],
          sequence: { groupOrder: 1 },
          isolate,
          // Vitest would leave one of two processors to itself, and it needs little of that.
          maxWorkers: 2,
          // The architecture's reads every source; on a busy machine that takes longer than Vitest's 5 s.
          testTimeout: 60_000,
        },
      },
      {
        resolve: source,
        ssr,
        environments,
        test: { name: 'int', include: ['{apps,libs,test}/**/*.int-spec.ts'], ...int },
      },
      ...(debianPostgres === undefined
        ? []
        : [{ resolve: source, ssr, environments, test: { name: 'int-debian', ...ON_DEBIAN, ...int } }]),
      {
        resolve: source,
        ssr,
        environments,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          isolate,
          include: ['test/**/*.e2e-spec.ts'],
          globalSetup: ['test/support/cluster.setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: E2E_WORKERS,
        },
      },
      // By tools/payments-check.mjs alone: it asks the servers of others.
      ...(process.env.PAYMENTS_CHECKED
        ? [
            {
              resolve: source,
              ssr,
              test: { name: 'payments', include: ['test/payments.check-spec.ts'], testTimeout: 120_000 },
            },
          ]
        : []),
    ],
  },
});
