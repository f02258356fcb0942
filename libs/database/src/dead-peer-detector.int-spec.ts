import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { SilentProxy } from '../../../test/support/silent-proxy.js';
import { until } from '../../../test/support/until.js';
import { ListeningClient } from './database-client.js';
import { DeadPeerError } from './dead-peer-detector.js';
import { connectionConfig, createPool } from './pool.js';
import { inTransaction } from './transaction.js';

let database: TestDatabase;
let proxy: SilentProxy;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  proxy = await SilentProxy.before(database.url);
  pool = createPool({ ...options(), max: 4 });
});

afterEach(async () => {
  await pool.end();
  await proxy.close();
});

const options = () => ({
  databaseUrl: proxy.through(database.url),
  applicationName: 'dead peer spec',
  asOwner: true,
  onError: () => undefined,
});

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

describe('a pool whose connections went silent', () => {
  it('fails their statements, and serves again on new connections', async () => {
    const all = () => Promise.allSettled(Array.from({ length: 4 }, () => pool.query('select pg_sleep(0.05)')));
    await all();
    expect(proxy.silence()).toBe(4);
    const seconds = await secondsOf(async () => {
      const [first] = await Promise.allSettled([pool.query('select 1')]);
      expect((first as PromiseRejectedResult).reason).toBeInstanceOf(DeadPeerError);
      await until(async () => (await all()).every(({ status }) => status === 'fulfilled'), { withinMs: 20_000 });
    });
    expect(seconds).toBeLessThan(8);
  });

  it('ends the backend of a transaction that was cut off, and with it its locks', async () => {
    await pool.query('create table held as select 1 as value');
    const cut = inTransaction(pool, async (client) => {
      await client.query('update held set value = 2');
      proxy.silence();
      await client.query('update held set value = 3');
    });
    await expect(cut).rejects.toBeInstanceOf(DeadPeerError);
    const seconds = await secondsOf(() => pool.query('update held set value = value + 10'));
    expect(seconds).toBeLessThan(2);
    expect((await pool.query('select value from held')).rows).toEqual([{ value: 11 }]);
  });

  it('does not cut a long statement', async () => {
    const { rows } = await pool.query(`select 'done' as answer, pg_sleep(7)`);
    expect(rows).toMatchObject([{ answer: 'done' }]);
    expect(pool.totalCount).toBe(1);
  });

  it('does not cut a transaction that waits for a lock, or pauses between its statements', async () => {
    await pool.query('create table waited_for as select 1 as value');
    await inTransaction(pool, async (client) => {
      await client.query('update waited_for set value = 2');
      const waiting = pool.query('update waited_for set value = value * 10');
      await sleep(6_000);
      await client.query('update waited_for set value = 3');
      await client.query('commit');
      await waiting;
      await client.query('begin');
    });
    expect((await pool.query('select value from waited_for')).rows).toEqual([{ value: 30 }]);
  });
});

it('a silent connection that only listens ends, and not before', async () => {
  const client = new ListeningClient(connectionConfig(options()));
  await client.connect();
  await client.query('listen something');
  const ended = new Promise((resolve) => client.once('end', () => resolve('ended')));
  expect(await Promise.race([ended, sleep(7_000, 'alive')])).toBe('alive');
  proxy.silence();
  const seconds = await secondsOf(() => ended);
  expect(seconds).toBeLessThan(11);
});
