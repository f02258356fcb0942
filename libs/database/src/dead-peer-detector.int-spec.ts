import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { freeze } from '../../../test/support/frozen.js';
import { SilentProxy } from '../../../test/support/silent-proxy.js';
import { until } from '../../../test/support/until.js';
import { ListeningClient } from './database-client.js';
import { DeadPeerError, onConnectionEnded } from './dead-peer-detector.js';
import { connectionConfig, createPool } from './pool.js';
import { inTransaction } from './transaction.js';

let database: TestDatabase;
let owner: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database.url);
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

type Connected = {
  proxy: SilentProxy;
  pool: pg.Pool;
  /** When a connection of the pool ended as dead, in ms. */ ended: number[];
};

/** Each test has a pool of its own behind a proxy of its own, so that they can wait at the same time. */
async function connected(use: (given: Connected) => Promise<void>): Promise<void> {
  const proxy = await SilentProxy.before(database.url);
  const ended: number[] = [];
  const onError = (error: Error) => void (error instanceof DeadPeerError && ended.push(performance.now()));
  const pool = createPool({ ...optionsFor(proxy), onError, max: 4 });
  try {
    await use({ proxy, pool, ended });
  } finally {
    await pool.end();
    await proxy.close();
  }
}

function optionsFor(proxy: SilentProxy) {
  return { databaseUrl: proxy.through(database.url), applicationName: 'dead peer spec', asOwner: true };
}

// So slow that each of several gets a backend of its own.
const SLOW_PID = 'select pg_backend_pid() as pid, pg_sleep(0.2)';

const four = (pool: pg.Pool) => Promise.all(Array.from({ length: 4 }, () => pool.query<{ pid: number }>(SLOW_PID)));

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

describe.concurrent('a pool whose connections went silent', () => {
  it('fails their statements after two verdicts, and serves again within 15 s', () =>
    connected(async ({ proxy, pool, ended }) => {
      await four(pool);
      const reasons: string[] = [];
      const forget = onConnectionEnded((reason) => reasons.push(reason));
      const begun = performance.now();
      expect(proxy.silence()).toBe(4);
      const lost = Array.from({ length: 4 }, () => pool.query('select 1'));
      const settled = Promise.allSettled(lost);
      const served = () => until(() => pool.query('select 1').then(() => true), { withinMs: 20_000 });
      expect(await secondsOf(served)).toBeLessThan(15);
      for (const result of await settled) {
        expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DeadPeerError);
      }
      forget();
      expect(reasons).toContain('unanswered');
      expect(ended).toHaveLength(4);
      expect((ended[0] ?? 0) - begun).toBeGreaterThan(6_000);
      expect(ended.filter((at) => at - (ended[0] ?? 0) < 990)).toHaveLength(1);
    }));

  it('ends the backend of a transaction that was cut off first, and with it its locks', () =>
    connected(async ({ proxy, pool, ended }) => {
      await pool.query('create table held as select 1 as value');
      await four(pool);
      const cut = inTransaction(pool, async (client) => {
        await client.query('update held set value = 2');
        proxy.silence();
        await client.query('update held set value = 3');
      });
      const others = Promise.allSettled(Array.from({ length: 3 }, () => pool.query('select 1')));
      await expect(cut).rejects.toBeInstanceOf(DeadPeerError);
      expect(ended).toHaveLength(1);
      await owner.query('update held set value = value + 10');
      expect((await owner.query('select value from held')).rows).toEqual([{ value: 11 }]);
      await others;
    }));

  it('ends none whose backend does not get the processor for five seconds', () =>
    connected(async ({ pool, ended }) => {
      const pids = await four(pool);
      const frozen = pids.map(({ rows }) => freeze(rows[0]?.pid ?? 0));
      // One is asked a second later than the others, and one is asked nothing.
      const answers = [pool.query('select 1'), pool.query('select 2')];
      await sleep(1_000);
      answers.push(pool.query('select 3'));
      await sleep(4_000);
      for (const resume of frozen) resume();
      await Promise.all(answers);
      await sleep(4_000);
      expect(ended).toEqual([]);
      expect(pool.totalCount).toBe(4);
    }));

  it('ends one a second of those whose backends do not even end', () =>
    connected(async ({ pool, ended }) => {
      const pids = await four(pool);
      const frozen = pids.map(({ rows }) => freeze(rows[0]?.pid ?? 0));
      const lost = Promise.allSettled(Array.from({ length: 4 }, () => pool.query('select 1')));
      await until(() => ended.length === 4, { withinMs: 20_000 });
      for (const resume of frozen) resume();
      await lost;
      for (const [i, at] of ended.slice(1).entries()) expect(at - (ended[i] ?? 0)).toBeGreaterThan(990);
    }));

  it('ends none while the server is slow to answer the probe', () =>
    connected(async ({ proxy, pool, ended }) => {
      const { rows } = await pool.query<{ pid: number }>(SLOW_PID);
      const resume = freeze(rows[0]?.pid ?? 0);
      const answer = pool.query('select 1');
      proxy.delayMs = 600;
      await sleep(11_000);
      resume();
      await answer;
      expect(ended).toEqual([]);
    }));

  it('ends one that the server has no more', () =>
    connected(async ({ proxy, pool }) => {
      const { rows } = await pool.query<{ pid: number }>(SLOW_PID);
      proxy.silence();
      const reasons: string[] = [];
      const forget = onConnectionEnded((reason) => reasons.push(reason));
      const lost = expect(pool.query('select 1')).rejects.toBeInstanceOf(DeadPeerError);
      await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await lost;
      forget();
      expect(reasons).toContain('gone');
    }));

  it('does not cut a long statement', () =>
    connected(async ({ pool }) => {
      const { rows } = await pool.query(`select 'done' as answer, pg_sleep(7)`);
      expect(rows).toMatchObject([{ answer: 'done' }]);
      expect(pool.totalCount).toBe(1);
    }));

  it('does not cut a transaction that waits for a lock, or pauses between its statements', () =>
    connected(async ({ pool }) => {
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
    }));

  it('a connection that only listens ends too, and not before', async () => {
    const proxy = await SilentProxy.before(database.url);
    const client = new ListeningClient(connectionConfig(optionsFor(proxy)));
    await client.connect();
    await client.query('listen something');
    const ended = new Promise((resolve) => client.once('end', () => resolve('ended')));
    expect(await Promise.race([ended, sleep(7_000, 'alive')])).toBe('alive');
    proxy.silence();
    expect(await secondsOf(() => ended)).toBeLessThan(15);
    await proxy.close();
  });
});
