import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LivePings } from './support/ping-stream/live-pings.js';
import { SilentProxy } from './support/silent-proxy.js';
import { Load } from './support/stand/load.js';
import type { Service } from './support/stand/service.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

const POOL_SIZE = 5;
const MONITORING = readFileSync(join(import.meta.dirname, '../docs/monitoring.md'), 'utf8');

type Process = 'api' | 'worker';
type Row = Readonly<{ names: readonly string[] } & Record<Process, number>>;

/** The table "Connections" in docs/monitoring.md: the maximum of each kind. */
function documented(): Row[] {
  const section = /^## Connections\n(.*?)^## /ms.exec(MONITORING)?.[1] ?? '';
  const lines = [...section.matchAll(/^\| [^|]+ \| (`willcall[^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  return lines.map(([, names = '', api = '', worker = '']) => ({
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    api: most(api),
    worker: most(worker),
  }));
}

function most(cell: string): number {
  const [, times, perPool] = /^(\d+)( × `DATABASE_POOL_SIZE`)?$/.exec(cell.trim()) ?? [];
  return Number(times) * (perPool === undefined ? 1 : POOL_SIZE);
}

let stand: Stand;
let load: Load;
let api: Service;
let worker: Service;
const proxies = new Map<Process, SilentProxy>();

beforeAll(async () => {
  stand = await Stand.start({
    database: 'shared',
    apis: 0,
    workers: 0,
    settings: { DATABASE_POOL_SIZE: `${POOL_SIZE}` },
  });
  const behind = async (process: Process) => {
    const proxy = await SilentProxy.before(stand.environment['DATABASE_URL'] ?? '');
    proxies.set(process, proxy);
    return { DATABASE_URL: proxy.through(stand.environment['DATABASE_URL'] ?? '') };
  };
  api = await stand.addApi('api-1', await behind('api'));
  worker = await stand.addWorker('worker-1', await behind('worker'));
  load = await Load.start({ apis: stand.apiUrls });
  await load.waitForPurchases();
});

afterAll(async () => {
  await load.stop();
  await stand.close();
  for (const proxy of proxies.values()) await proxy.close();
});

/** The current number of connections by name. */
async function open(): Promise<Map<string, number>> {
  const { rows } = await stand.pool.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'willcall%' group by 1`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

const ready = async ({ url }: Service) => (await fetch(`${url}/health/ready`)).status;

describe('under load, with readers of the stream', () => {
  it('api and worker open exactly the connections in docs/monitoring.md', async () => {
    const rows = documented();
    const reader = await LivePings.open(api.url);
    const seen = new Map<string, number>();
    const expected = rows.flatMap(({ names }) => names).filter((name) => name !== 'willcall probe');
    // Until each kind was seen, and until the pools have grown.
    const bought = load.acknowledged + 300;
    const hasSeenAll = async () => {
      expect([await ready(api), await ready(worker)]).toEqual([200, 200]);
      for (const [name, count] of await open()) seen.set(name, Math.max(count, seen.get(name) ?? 0));
      expect(load.acknowledged).toBeGreaterThanOrEqual(bought);
      expect(
        expected.filter((name) => !seen.has(name)),
        inspect(seen),
      ).toEqual([]);
      return true;
    };
    await load.atFullSpeed(() => until(hasSeenAll, { withinMs: 200_000, everyMs: 100 }));
    reader.close();
    const limits = new Map(rows.flatMap(({ names, ...row }) => names.map((name) => [name, limitOf(name, row)])));
    const beyond = [...seen].filter(([name, count]) => count > (limits.get(name) ?? 0));
    expect(beyond).toEqual([]);
    // BullMQ closes some idle connections after a few seconds.
    const single = expected.filter((name) => limits.get(name) === 1);
    expect(single.map((name) => [name, seen.get(name)])).toEqual(single.map((name) => [name, 1]));
  });

  it('no connection compiles its statements', () => {
    const startups = [...proxies.values()].flatMap((proxy) => proxy.startups);
    expect(startups.length).toBeGreaterThan(2 * POOL_SIZE);
    expect(startups.filter(({ options = '' }) => !options.includes('-c jit=off'))).toEqual([]);
  });

  it('the sums in docs/monitoring.md match its table', () => {
    for (const process of ['api', 'worker'] as const) {
      const sum = (isQueue: boolean) =>
        documented()
          .filter(({ names }) => names.includes('willcall-queues') === isQueue)
          .reduce((all, row) => all + row[process], 0);
      const [own, queues] = [sum(false) - 2 * POOL_SIZE, sum(true)];
      expect(MONITORING).toContain(`${process}: 2 × \`DATABASE_POOL_SIZE\` + ${own}, and ${queues} for BullMQ`);
    }
  });
});

/** A name of one process has its limit. A name of both has the sum. */
function limitOf(name: string, { api, worker }: Record<Process, number>): number {
  if (name.startsWith('willcall api')) return api;
  return name.startsWith('willcall worker') ? worker : api + worker;
}

describe('while PostgreSQL accepts no connections', () => {
  it('api and worker try at most three times a second each, and resume when it is back', async () => {
    // A rate needs a fixed time, not a condition. In 3 s, a process without pauses tries thousands of times. With pauses that do not
    // grow, it tries about sixty times.
    const seconds = 3;
    for (const proxy of proxies.values()) proxy.refuse();
    // Processes notice the lost connections at once, and the pauses reach their maximum within 2 s.
    await load.atFullSpeed(() => sleep(2_000));
    const before = attempts();
    await load.atFullSpeed(() => sleep(seconds * 1_000));
    const aSecond = Object.entries(attempts()).map(([name, count]) => [name, (count - (before[name] ?? 0)) / seconds]);
    for (const proxy of proxies.values()) proxy.accept();
    expect(aSecond.filter(([, rate]) => Number(rate) > 3)).toEqual([]);
    const acknowledged = load.acknowledged;
    await until(() => load.acknowledged > acknowledged, { withinMs: 30_000 });
  });
});

function attempts(): Record<string, number> {
  return Object.fromEntries([...proxies].map(([name, { accepted }]) => [name, accepted]));
}
