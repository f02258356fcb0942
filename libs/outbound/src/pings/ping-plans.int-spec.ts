import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analyzeGrownTables } from '#database/grown-tables';
import { createPool } from '#database/pool';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { addOrder, orderNo } from '../../../../test/support/pings/ping-rows.js';
import { replannedStatements } from '../../../../test/support/postgres/replanned-statements.js';
import { rowsRead } from '../../../../test/support/postgres/rows-read.js';
import { until } from '../../../../test/support/until.js';
import { PingLedger } from './ping-ledger.js';

const BACKLOG = 1_000;

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', max: 1, onError: () => undefined };
  owner = createPool({ ...options, asOwner: true });
  pool = createPool({ ...options, lazyCommit: true, byIndex: true });
  // Otherwise it might come first.
  await owner.query('alter table pings set (autovacuum_enabled = off)');
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

it('records an attempt without scanning a backlog that came after its plan was made', async () => {
  const clock = new FixedClock();
  const ledger = new PingLedger(pool, clock, new SystemRandomness(), { leaseMs: 20_000 });
  const deliverOne = async (number: number) => {
    const lease = await ledger.take(orderNo(number));
    const now = clock.now();
    const made = {
      sequence: 1,
      dueSince: now,
      startedAt: now,
      durationMs: 1,
      httpStatus: 200,
      error: null,
      answer: null,
    };
    await ledger.record(lease!, { ...made, state: 'delivered', nextTryAt: null });
  };
  // PostgreSQL keeps a plan after the fifth execution until the tables are analysed again.
  for (let number = 1; number <= 10; number += 1) {
    await addOrder(owner, orderNo(number), 1, clock.now());
    if (number === 3) await owner.query('analyze');
    await deliverOne(number);
  }
  for (let number = 11; number <= BACKLOG; number += 1) await addOrder(owner, orderNo(number), 1, clock.now());
  // An idle connection reports its changes after 10 s.
  await owner.query('select pg_stat_force_next_flush()');
  await until(async () => (await analyzeGrownTables(pool)).includes('pings'));
  const read = await rowsRead(pool, ['pings'], () => deliverOne(500));
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(100);
  expect(await replannedStatements(pool)).toEqual([]);
});
