import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileCircles } from './architecture/file-circles.js';
import { folderCycles } from './architecture/folder-cycles.js';
import { LIBS } from './architecture/lib-map.js';
import { reachOf } from './architecture/reach.js';
import { breachesOf } from './architecture/rules.js';

const root = new URL('../', import.meta.url);

function sourcesOf(folder: string): string[] {
  const url = new URL(`${folder}/`, root);
  if (!existsSync(url)) return [];
  const entries = readdirSync(url, { recursive: true, encoding: 'utf8' });
  const paths = entries.map((entry) => `${folder}/${entry.replaceAll('\\', '/')}`);
  return paths.filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/'));
}

describe('the source files', () => {
  const paths = ['apps', 'libs', 'bench', 'test'].flatMap(sourcesOf);

  it('are found', () => {
    expect(paths).toEqual(expect.arrayContaining(['libs/base/src/settings.ts', 'test/architecture.spec.ts']));
  });

  it('keep to the architecture', () => {
    expect(paths.flatMap((path) => breachesOf(path, readFileSync(new URL(path, root), 'utf8')))).toEqual([]);
  });
});

describe('the map of the libs', () => {
  const names = Object.keys(LIBS);

  it('has exactly the existing libs', () => {
    const found = new Set(sourcesOf('libs').map((path) => path.split('/')[1]));
    expect([...found]).toEqual(expect.arrayContaining(names));
    expect(found.size).toBe(names.length);
  });

  it.each(names)('lets %s import only libs above it', (name) => {
    const above = names.slice(0, names.indexOf(name));
    const { imports, types = [] } = LIBS[name] ?? { imports: [] };
    expect(above).toEqual(expect.arrayContaining([...imports, ...types]));
  });

  it('has no unused arrow', () => {
    const arrows = Object.entries(LIBS).flatMap(([name, { imports, types = [] }]) =>
      [...imports, ...types].map((other) => `${name} -> ${other}`),
    );
    const sources = sourcesOf('libs').filter((path) => !/spec\.tsx?$/.test(path));
    const used = sources.flatMap((path) => arrowsOf(path, readFileSync(new URL(path, root), 'utf8')));
    expect(arrows.filter((arrow) => !used.includes(arrow))).toEqual([]);
  });
});

describe('folders', () => {
  const sources = ['apps', 'libs'].flatMap(sourcesOf).map((path) => ({
    path,
    source: readFileSync(new URL(path, root), 'utf8'),
  }));

  it('do not import each other in a cycle', () => {
    expect(folderCycles(sources)).toEqual([]);
  });

  it('in a cycle are reported with the files', () => {
    const cycle = [
      { path: 'libs/discovery/src/search/text/a.ts', source: "import { b } from '../columns/b.js';" },
      { path: 'libs/discovery/src/search/columns/b.ts', source: "export { c } from '../engine/c.js';" },
      {
        path: 'libs/discovery/src/search/engine/c.ts',
        source: "import type { a } from '../text/a.js';\nimport './d.js';",
      },
      { path: 'libs/discovery/src/search/engine/d.ts', source: "import '../query/e.js';" },
      { path: 'libs/discovery/src/search/query/e.spec.ts', source: "import '../engine/d.js';" },
    ];
    expect(folderCycles(cycle)).toEqual([
      'libs/discovery/src/search/text -> libs/discovery/src/search/columns (a.ts imports b.js)',
      'libs/discovery/src/search/columns -> libs/discovery/src/search/engine (b.ts imports c.js)',
      'libs/discovery/src/search/engine -> libs/discovery/src/search/text (c.ts imports a.js)',
    ]);
    expect(folderCycles(cycle.slice(1))).toEqual([]);
  });
});

describe('files', () => {
  const sources = ['apps', 'libs'].flatMap(sourcesOf).map((path) => ({
    path,
    source: readFileSync(new URL(path, root), 'utf8'),
  }));

  it('do not import themselves through others, not even for types', () => {
    expect(fileCircles(sources)).toEqual([]);
  });

  it('in a circle are reported', () => {
    const circle = [
      { path: 'libs/outbound/src/a.ts', source: "import type { b } from './pings/b.js';" },
      { path: 'libs/outbound/src/pings/b.ts', source: "export { c } from '#orders/c';" },
      { path: 'libs/orders/src/c.ts', source: "let x: import('#outbound/a').A;" },
      { path: 'libs/orders/src/d.ts', source: "import './c.js';" },
      { path: 'libs/orders/src/c.spec.ts', source: "import './d.js';" },
    ];
    expect(fileCircles(circle)).toEqual([
      'libs/outbound/src/a.ts -> libs/outbound/src/pings/b.ts',
      'libs/outbound/src/pings/b.ts -> libs/orders/src/c.ts',
      'libs/orders/src/c.ts -> libs/outbound/src/a.ts',
    ]);
    expect(fileCircles(circle.slice(1))).toEqual([]);
  });
});

/** A provider that Nest can make by itself needs no factory, and cannot be made differently in two places. */
const MOST_FACTORIES = 15;

/** Who reads how a purchase is taken must not have to read half of the repository. */
const MOST_FILES_OF_A_PURCHASE = 50;

describe('what a reader has to follow', () => {
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

  it(`is at most ${MOST_FACTORIES} factories of providers`, () => {
    const sources = ['apps', 'libs'].flatMap(sourcesOf).filter((path) => !/spec\.tsx?$/.test(path));
    const factories = sources.flatMap((path) => (read(path).match(/\buseFactory\b/g) ?? []).map(() => path));
    expect(factories.length, factories.join('\n')).toBeLessThanOrEqual(MOST_FACTORIES);
  });

  it(`is at most ${MOST_FILES_OF_A_PURCHASE} files from the controller of purchases on`, () => {
    const reach = reachOf('libs/orders/src/checkout/purchases.controller.ts', read);
    expect(reach.length, reach.join('\n')).toBeLessThanOrEqual(MOST_FILES_OF_A_PURCHASE);
  });

  it('follows imports, but neither types nor packages', () => {
    const sources: Record<string, string> = {
      'libs/a/src/a.ts': "import { b } from '#b/b';\nimport type { c } from './c.js';\nimport { z } from 'zod';",
      'libs/b/src/b.ts': "import { type C, d } from './d.js';",
      'libs/b/src/d.ts': "import '../../a/src/a.js';",
    };
    expect(reachOf('libs/a/src/a.ts', (path) => sources[path] ?? '')).toEqual([
      'libs/a/src/a.ts',
      'libs/b/src/b.ts',
      'libs/b/src/d.ts',
    ]);
  });
});

function arrowsOf(path: string, source: string): string[] {
  return [...source.matchAll(/'#([a-z-]+)\//g)].map(([, other]) => `${path.split('/')[1]} -> ${other}`);
}

/** Breaches that the rules must find: [path, source, message]. */
const breaches: [string, string, string][] = [
  ['libs/outbound/src/a.ts', "import { x } from '../../../apps/worker/src/x.js';", 'a lib imports an app'],
  ['libs/outbound/src/a.ts', "await import('../../../apps/worker/src/x.js');", 'a lib imports an app'],
  [
    'libs/outbound/src/a.ts',
    "import { until } from '../../../test/support/until.js';",
    'a lib imports what is for tests',
  ],
  ['libs/outbound/src/a.spec.ts', "import { x } from '../../../test/x.js';", 'a lib imports what is for tests'],
  ['apps/api/src/a.ts', "export { x } from '../../../bench/x.js';\nconst y = 1;", 'an app imports what is for tests'],
  ['apps/api/src/a.ts', "import { x } from '../../worker/src/x.js';", 'an app imports an app'],
  ['apps/api/src/a.ts', "import type { X } from '../../worker/src/x.js';", 'an app imports an app'],
  ['apps/cli/src/start.ts', "await import('../../api/src/main.js');", 'an app imports an app'],
  ['apps/cli/src/start.ts', "import '../../worker/src/main.js';", 'an app imports an app'],
  ['apps/cli/src/start.ts', 'await import(`../../${name}/src/main.js`);', 'loads a computed address'],
  ['apps/cli/src/start.ts', 'require(name);', 'loads a computed address'],
  ['libs/delivery-kit/src/a.ts', "import { x } from '../../base/src/x.js';", 'by a relative path'],
  ['libs/outbound/src/a.ts', 'const answer = JSON.parse(text);', 'parses JSON without parseJson'],
  ['apps/api/src/a.ts', "import { parse } from 'secure-json-parse';", 'parses JSON by itself'],
  ['libs/domain/src/a.ts', "import { Clock } from '#base/clock';", 'does not let domain import anything from base'],
  ['libs/domain/src/a.ts', "import type { Clock } from '#base/clock';", 'does not let domain import anything'],
  ['libs/domain/src/a.ts', "import { createHash } from 'node:crypto';", 'domain imports a package'],
  ['libs/domain/src/a.ts', "let z: import('zod').ZodType;", 'domain imports a package'],
  [
    'libs/domain/src/a.spec.ts',
    "import { Clock } from '#base/clock';",
    'does not let domain import anything from base',
  ],
  ['libs/domain/src/a.ts', 'export const at = () => Date.now();', 'domain uses the clock'],
  ['libs/domain/src/a.ts', 'export const at = () => new Date();', 'domain uses the clock'],
  ['libs/domain/src/a.ts', 'export const dice = Math.random();', 'domain uses the clock'],
  ['libs/domain/src/a.ts', 'export const surroundings = () => process;', 'domain uses the clock'],
  ['libs/domain/src/a.ts', "export const bytes = Buffer.from('');", 'domain uses the clock'],
  [
    'libs/event-store/src/a.ts',
    "import type { OrderEvent } from '#domain/order-events';",
    'event-store import anything from domain',
  ],
  ['libs/event-store/src/a.ts', "import { x } from '#orders/x';", 'event-store import anything from orders'],
  ['libs/event-store/src/a.ts', "import { x } from '#orders/x';", 'event-store import anything'],
  [
    'libs/event-store/src/a.int-spec.ts',
    "import { x } from '#outbound/x';",
    'event-store import anything from outbound',
  ],
  [
    'libs/outbound/src/a.ts',
    "import { Pause } from '#event-store/pause';",
    'outbound import more than types from event-store',
  ],
  ['libs/discovery/src/a.ts', "import { R } from '#orders/record-splitter';", 'discovery import anything'],
  [
    'libs/delivery-kit/src/a.ts',
    "import { PingSender } from '#outbound/ping-sender';",
    'delivery-kit import anything from outbound',
  ],
  ['libs/discovery/src/a.ts', "import { x } from '#outbound/x';", 'discovery import anything from outbound'],
  [
    'libs/discovery/src/search/text/a.ts',
    "import { x } from '../columns/x.js';",
    'the layer search/text imports one above it',
  ],
  [
    'libs/discovery/src/search/text/a.ts',
    "import type { X } from '#discovery/search/engine/x';",
    'the layer search/text imports one above it',
  ],
  [
    'libs/discovery/src/search/columns/a.spec.ts',
    "import { x } from '../engine/x.js';",
    'the layer search/columns imports one above',
  ],
  [
    'libs/discovery/src/search/engine/a.ts',
    "import { x } from '../answers/x.js';",
    'the layer search/engine imports one above it',
  ],
  ['libs/discovery/src/search/other/a.ts', 'export const a = 1;', 'is in no layer'],
  ['libs/orders/src/a.ts', "import { x } from '#outbound/pings/x';", 'reaches into a folder of another lib'],
  ['apps/api/src/a.ts', "import type { X } from '#outbound/pings/x';", 'reaches into a folder of another lib'],
  ['libs/surprise/src/a.ts', 'export const a = 1;', 'in a lib that is not on the map'],
  ['libs/orders/src/read-models/a.ts', "import { decide } from '#domain/order';", 'decides about an order'],
  ['libs/orders/src/read-models/a.ts', "import { decide, type Order } from '#domain/order';", 'decides about an order'],
  ['libs/outbound/src/a.ts', "import * as order from '#domain/order';", 'decides about an order'],
  ['libs/outbound/src/a.ts', "import '#domain/order';", 'decides about an order'],
  ['libs/outbound/src/a.ts', "export { decide } from '#domain/order';\nlet x;", 'decides about an order'],
  ['libs/orders/src/a.contract.ts', "import { Pool } from 'pg';", 'a contract imports more'],
  ['libs/orders/src/a.contract.ts', "import { readFileSync } from 'node:fs';", 'a contract imports more'],
  ['libs/orders/src/a.contract.ts', "import type { Pool } from '#database/pool';", 'a contract imports more'],
  ['apps/console/src/a.tsx', "import type { Clock } from '#base/clock';", 'more than types of contracts'],
  ['apps/console/src/a.tsx', "import { Ping } from '#orders/order.contract';", 'more than types of contracts'],
  ['apps/console/src/a.ts', "import { readFileSync } from 'node:fs';", 'more than types of contracts'],
  ['libs/orders/src/a.limits.ts', "import { z } from 'zod';", 'limits import something'],
  ['libs/client/src/a.ts', "import type { Clock } from '#base/clock';", 'does not let client import anything'],
  ['libs/client/src/a.ts', "import { request } from 'undici';", 'not published with it'],
  ['libs/delivery-kit/src/queues/a.ts', 'const url = process.env.REDIS_URL;', 'reads the environment'],
  ['libs/delivery-kit/src/queues/a.ts', "const url = process.env['REDIS_URL'];", 'reads the environment'],
  ['libs/delivery-kit/src/queues/a.ts', "const url = process['env'];", 'reads the environment'],
  ['libs/delivery-kit/src/queues/a.ts', 'const { env } = process;', 'reads the environment'],
  ['libs/delivery-kit/src/queues/a.ts', 'const { env: all } = globalThis.process;', 'reads the environment'],
  ['apps/api/src/main.ts', "import { env } from 'node:process';", 'reads the environment'],
  ['bench/main.ts', 'process.env.SECONDS;', 'reads the environment'],
  ['libs/outbound/src/a.ts', 'new pg.Client({ connectionString: url });', 'opens a session without'],
  ['apps/cli/src/a.ts', 'new pg.Pool(url);', 'opens a session without'],
  ['libs/outbound/src/a.ts', "export * from './b.js';\nexport { c } from './c.js';", 'only re-exports'],
  ['libs/outbound/src/a.ts', "import { b } from './b.js';\nexport { b };", 'only re-exports'],
  ['libs/outbound/src/index.ts', 'export const a = 1;', 'a vague name'],
  ['libs/outbound/src/utils.ts', '', 'a vague name'],
  ['libs/outbound/src/ping-helpers.ts', '', 'a vague name'],
  ['libs/outbound/src/common.ts', '', 'a vague name'],
  ['libs/outbound/src/base-writer.ts', '', 'a vague name'],
  ['libs/outbound/src/store-impl.ts', '', 'a vague name'],
  ['libs/outbound/src/store.impl.ts', '', 'a vague name'],
  ['libs/outbound/src/common/a.ts', '', 'a folder with a vague name'],
  ['libs/outbound/src/PingStore.ts', '', 'not named in kebab-case'],
  ['libs/outbound/src/a.ts', 'x;\n'.repeat(401), 'has 401 lines'],
  ['apps/api/src/a.ts', 'class A { constructor(a, b, c, d, e, f) {} }', 'a constructor takes 6 things'],
  ['apps/api/src/a.controller.ts', 'const ping = found as Ping;', 'a controller casts (found as Ping)'],
  ['apps/api/src/a.controllers.ts', 'const ping = <Ping>found;', 'a controller casts (<Ping>found)'],
  ['apps/console/src/a.tsx', 'const id = name as never;', 'casts without a check (name as never)'],
  ['apps/console/src/a.tsx', "const { q } = useSearch({ from: '/orders' });", 'a search that has no type'],
];

/** Similar code that is allowed. */
const allowed: [string, string][] = [
  [
    'libs/outbound/src/a.ts',
    "import type { Status } from '#domain/status';\nimport { type Order } from '#domain/order';",
  ],
  [
    'libs/outbound/src/a.ts',
    "export type { Status } from '#domain/status';\nimport type { RecordedEvent } from '#event-store/event';\nlet x;",
  ],
  ['libs/orders/src/a.spec.ts', "import { x } from '#outbound/pings/x';"],
  ['libs/orders/src/a.ts', "import { x } from '#outbound/x';\nimport { y } from './commands/y.js';\nlet z;"],
  ['libs/orders/src/read-models/a.spec.ts', "import { decide } from '#domain/order';"],
  ['libs/listings/src/a.ts', "import { evolve } from '#domain/order-state';"],
  ['libs/discovery/src/search/columns/a.ts', "import { x } from '../text/x.js';\nimport { y } from './y.js';\nlet z;"],
  ['libs/delivery-kit/src/queues/a.int-spec.ts', "import { until } from '../../../../test/support/until.js';"],
  [
    'libs/domain/src/a.ts',
    "import { b } from './order/b.js';\nexport const day = (at: string) => new Date(at).getUTCDay();",
  ],
  ['libs/domain/src/a.ts', 'export const next = (order: { process: number }) => order.process;'],
  ['libs/domain/src/a.spec.ts', "import fc from 'fast-check';"],
  ['libs/orders/src/a.contract.ts', "import { z } from 'zod';\nimport { cents } from '#domain/money';"],
  [
    'libs/client/src/a.ts',
    "import { createHmac } from 'node:crypto';\nimport { createParser } from 'eventsource-parser';\nimport './b.js';",
  ],
  ['apps/console/src/a.tsx', "import type { Ping } from '#orders/order.contract';\nimport { b } from './b.js';"],
  ['apps/console/src/a.tsx', "import { LONGEST_TAG } from '#orders/order.limits';"],
  ['libs/desk/src/a.contract.ts', "import { LONGEST_TAG } from '#orders/order.limits';"],
  ['apps/console/src/api/a.ts', "import type { Routes } from '../../../../types/backoffice-routes.js';"],
  ['libs/base/src/config/a.ts', 'export const home = process.env.HOME;'],
  ['libs/database/src/a.ts', 'new pg.Client({ ...config, query_timeout: 1 });'],
  ['tools/a.ts', 'process.env.HOME;'],
  ['libs/delivery-kit/src/queues/a.ts', 'const job = { env: process.platform, text: "process.env.HOME" };'],
  ['apps/cli/src/start.ts', "spawn(process.execPath, ['dist/apps/api/src/main.js']);"],
  [
    'libs/outbound/src/simple-implicit.ts',
    "import { b } from './b.js';\nexport const a = b;\nexport { c } from './c.js';",
  ],
  ['libs/outbound/src/a.ts', 'x;\n'.repeat(400)],
  ['apps/api/src/a.ts', 'class A { constructor(a, b, c, d, e) {} }'],
  ['apps/api/src/a.controller.ts', "import { x as y } from './x.js';\nconst method = 'POST' as const;"],
  ['apps/api/src/a.ts', 'const options = given as Options;'],
  ['apps/console/src/a.tsx', "const search = useSearch({ from: '/orders' });\nconst { q } = search;"],
];

describe('the rules', () => {
  it.each(breaches)('%s with source %# is a breach', (path, source, says) => {
    expect(breachesOf(path, source)).toEqual([expect.stringContaining(says)]);
  });

  it.each(allowed)('%s with source %# is allowed', (path, source) => {
    expect(breachesOf(path, source)).toEqual([]);
  });
});
