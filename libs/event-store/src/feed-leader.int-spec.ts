import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { createPool } from '#database/pool';
import { appendRaw } from '../../../test/support/postgres/append.js';
import { killLockHolder, sessionsOf } from '../../../test/support/postgres/locks.js';
import { createDurableCluster, createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { FeedLeader, type MovedBatch } from './feed-leader.js';

const LOCK = 'feed-leader';

describe('the feed leader', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let leaders: FeedLeader[];
  let moved: MovedBatch[];
  let errors: unknown[];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = createPool({
      databaseUrl: database.url,
      max: 10,
      applicationName: 'test',
      onError: () => undefined,
      asOwner: true,
    });
    [leaders, moved, errors] = [[], [], []];
  });

  afterEach(async () => {
    await Promise.all(leaders.map((leader) => leader.stop()));
    await pool.end();
    await database.drop();
  });

  function startLeader(url = database.url): FeedLeader {
    const leader = new FeedLeader({
      connection: { connectionString: url, options: '-c role=willcall_app' },
      clock: new SystemClock(),
      onMoved: (batch) => moved.push(batch),
      onError: (error) => errors.push(error),
    });
    leaders.push(leader);
    leader.start();
    return leader;
  }

  const feedLength = async (): Promise<number> => Number((await pool.query('select from feed')).rowCount);

  it('moves appended events into the feed and reports them', async () => {
    startLeader();
    await appendRaw(pool, 'a', 0, 3);
    await until(async () => (await feedLength()) === 3);
    await appendRaw(pool, 'b', 0, 1);
    await until(async () => (await feedLength()) === 4);
    await until(() => moved.reduce((sum, { count }) => sum + count, 0) === 4);
    for (const { count, lagMs } of moved) {
      expect(lagMs).toHaveLength(count);
      expect(lagMs.every((ms) => ms >= 0 && ms < 10_000)).toBe(true);
    }
    expect(errors).toEqual([]);
  });

  it('moves a backlog of many batches', async () => {
    await appendRaw(pool, 'a', 0, 2_600);
    startLeader();
    await until(async () => (await feedLength()) === 2_600);
    expect(moved.length).toBe(6);
  });

  it('moves an event that is committed long after events with higher ids', async () => {
    const leader = startLeader();
    await until(() => leader.holdsLock);
    const slow = await pool.connect();
    await slow.query('begin');
    await appendRaw(slow, 'slow', 0);
    // Long enough for many rounds that check whether the slow writer has finished, also under a second leader.
    for (let n = 1; n <= 60; n += 1) {
      await appendRaw(pool, `quick-${n}`, 0);
      await until(async () => (await feedLength()) === n);
      if (n === 30) {
        await leader.stop();
        startLeader();
      }
    }
    await slow.query('commit');
    slow.release();
    await until(async () => (await feedLength()) === 61);
    const { rows } = await pool.query('select stream from feed order by position desc limit 1');
    expect(rows).toEqual([{ stream: 'slow' }]);
  });

  it('is one at a time, and is replaced within 2 s after its connection is lost', async () => {
    const pair = [startLeader(), startLeader()];
    const leading = (): FeedLeader[] => pair.filter((leader) => leader.holdsLock);
    await until(() => leading().length > 0);
    await until(async () => (await sessionsOf(pool, LOCK)).length === 2);
    expect(leading()).toHaveLength(1);
    expect(await killLockHolder(pool, LOCK)).toBe(true);
    await appendRaw(pool, 'a', 0);
    await until(async () => (await feedLength()) === 1, { withinMs: 2_000 });
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ message: 'terminating connection due to administrator command' }]);
    await until(async () => (await sessionsOf(pool, LOCK)).length === 2);
    expect((await sessionsOf(pool, LOCK)).filter((session) => session.holds)).toHaveLength(1);
  });

  it('releases the lock when it is stopped, with nothing unfinished', async () => {
    const leader = startLeader();
    await until(() => leader.holdsLock);
    await appendRaw(pool, 'a', 0, 1_200);
    await until(() => moved.length > 0);
    await leader.stop();
    const inFeed = await feedLength();
    expect(inFeed).toBe(moved.reduce((sum, { count }) => sum + count, 0));
    expect(await sessionsOf(pool, LOCK)).toEqual([]);
    expect(leader.holdsLock).toBe(false);
    await appendRaw(pool, 'b', 0);
    startLeader();
    await until(async () => (await feedLength()) === 1_201);
    expect(errors).toEqual([]);
  });

  it('also stops as a standby, and while it cannot connect', async () => {
    const leader = startLeader();
    await until(() => leader.holdsLock);
    const standby = startLeader();
    await until(async () => (await sessionsOf(pool, LOCK)).length === 2);
    await standby.stop();
    expect(leader.holdsLock).toBe(true);
    const cutOff = startLeader('postgres://nobody@127.0.0.1:1/nowhere');
    await until(() => errors.length >= 2);
    await cutOff.stop();
  });

  it('reports a hook that throws, and continues', async () => {
    const leader = new FeedLeader({
      connection: { connectionString: database.url },
      clock: new SystemClock(),
      onMoved: () => {
        throw new Error('a hook');
      },
      onError: (error) => errors.push(error),
    });
    leaders.push(leader);
    leader.start();
    await appendRaw(pool, 'a', 0);
    await until(() => errors.length > 0);
    await appendRaw(pool, 'a', 1);
    await until(async () => (await feedLength()) === 2);
  });
});

it('continues after the server was killed and restarted', async () => {
  const cluster = await createDurableCluster();
  const pool = createPool({
    databaseUrl: cluster.url,
    max: 4,
    applicationName: 'test',
    onError: () => undefined,
    asOwner: true,
  });
  const errors: unknown[] = [];
  const leader = new FeedLeader({
    connection: { connectionString: cluster.url },
    clock: new SystemClock(),
    onError: (error) => errors.push(error),
  });
  try {
    leader.start();
    await until(() => leader.holdsLock);
    await appendRaw(pool, 'a', 0);
    await cluster.kill();
    await until(() => errors.length >= 3);
    expect(leader.holdsLock).toBe(false);
    await cluster.restart();
    await until(() => appendRaw(pool, 'b', 0).then(() => true));
    await until(async () => (await pool.query('select from feed')).rowCount === 2);
  } finally {
    await leader.stop();
    await pool.end();
    await cluster.remove();
  }
});
