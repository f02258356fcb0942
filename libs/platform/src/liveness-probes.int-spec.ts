import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { canConnect } from '#database/connection-check';
import { connectionConfig, createPool } from '#database/pool';
import { Liveness } from './liveness.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { SilentProxy } from '../../../test/support/silent-proxy.js';
import { until } from '../../../test/support/until.js';
import { LivenessProbes } from './liveness-probes.js';

let database: TestDatabase;
let proxy: SilentProxy;
let clock: FixedClock;
let liveness: Liveness;
let pools: Pool[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  proxy = await SilentProxy.before(database.url);
  const databaseUrl = proxy.through(database.url);
  const made = () => createPool({ databaseUrl, max: 1, applicationName: 'test', onError: () => undefined });
  const [pool, lazyPool] = [made(), made()];
  pools = [pool, lazyPool];
  clock = new FixedClock();
  const config = connectionConfig({ databaseUrl, applicationName: 'willcall probe' });
  liveness = new Liveness(clock, () => canConnect(config, 3_000));
  new LivenessProbes(liveness, pool, lazyPool);
});
afterEach(async () => {
  const ended = pools.map((pool) => pool.end());
  await proxy.close();
  await Promise.all(ended);
});

/** Checks after so many seconds, in which the pools had time to answer. */
async function checkAfter(seconds: number): Promise<void> {
  clock.advance(seconds * 1_000);
  // The previous check has queried each pool. Whether it is answered must not depend on the speed of this machine.
  await until(() => pools.every((pool) => pool.idleCount === pool.totalCount), { withinMs: 1_000 }).catch(
    () => undefined,
  );
  await liveness.check();
}

it('idle pools that answer keep the process alive', async () => {
  for (let looks = 0; looks < 20; looks += 1) await checkAfter(5);
  expect(liveness.reason).toBeUndefined();
});

it('a pool whose connections never answer fails live after 30 s, while PostgreSQL accepts new connections', async () => {
  await checkAfter(5);
  await checkAfter(5);
  expect(proxy.drip()).toBe(2);
  await checkAfter(5);
  await checkAfter(20);
  expect(liveness.reason).toBeUndefined();
  await checkAfter(10);
  await checkAfter(5);
  expect(liveness.reason).toMatch(
    /^connection pool: nothing done for \d+ s, although the database answers on a new connection; pool of lazy commits: /,
  );
});

it('an unreachable PostgreSQL never fails live', async () => {
  await checkAfter(5);
  await checkAfter(5);
  proxy.drip();
  proxy.refuse();
  for (let looks = 0; looks < 3; looks += 1) await checkAfter(30);
  expect(liveness.reason).toBeUndefined();
});
