import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { createPool } from '#database/pool';
import { FeedLeader } from '#event-store/feed-leader';
import { appendRaw } from './support/postgres/append.js';
import { killLockHolder } from './support/postgres/locks.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';
import { CONTROL_TABLE, countOf, followFeed, naiveReader, stressWriter } from './support/postgres/feed-stress.js';
import { until } from './support/until.js';

let database: TestDatabase;
let pool: pg.Pool;
let foreign: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({
    databaseUrl: database.url,
    max: 16,
    applicationName: 'test',
    onError: () => undefined,
    asOwner: true,
  });
  await pool.query(CONTROL_TABLE);
  await pool.query('create table elsewhere (n int)');
  foreign = new pg.Client({ connectionString: database.url });
  await foreign.connect();
  await foreign.query('begin');
  await foreign.query('insert into elsewhere values (1)');
});

afterEach(async () => {
  await foreign.end();
  await pool.end();
  await database.drop();
});

const leaderOf = (onMoved: (lagMs: readonly number[]) => void): FeedLeader =>
  new FeedLeader({
    connection: { connectionString: database.url, options: '-c role=willcall_app' },
    clock: new SystemClock(),
    onMoved: ({ lagMs }) => onMoved(lagMs),
    onError: () => undefined,
  });

/** Kills the leader so many times, each time after the feed has advanced. */
async function killLeaders(times: number): Promise<void> {
  for (let kills = 0; kills < times;) {
    const before = await countOf(pool, 'feed');
    await until(async () => (await countOf(pool, 'feed')) > before + 20);
    if (await killLockHolder(pool, 'feed-leader')) kills += 1;
  }
}

it('skips nothing, repeats nothing and keeps the order of every stream while leaders and writers fail', async () => {
  let isEnough = false;
  let going = true;
  const writing = Promise.all(Array.from({ length: 8 }, () => stressWriter(pool, () => !isEnough)));
  void writing.finally(() => (going = false));
  const leaders = [leaderOf(() => undefined), leaderOf(() => undefined)];
  for (const leader of leaders) leader.start();
  const failing = killLeaders(5)
    .then(() => until(async () => (await countOf(pool, 'events')) > 1_000))
    .finally(() => (isEnough = true));
  const [followed, naive] = await Promise.all([
    followFeed(pool, () => going),
    naiveReader(pool, () => going),
    failing,
    writing,
  ]);
  await Promise.all(leaders.map((leader) => leader.stop()));

  const recorded = await countOf(pool, 'events');
  console.log(`feed torture: ${recorded} events, naive reader skipped ${recorded - naive}`);
  expect(naive, 'the control skips events, or this test proves nothing').toBeLessThan(recorded);

  // followFeed refuses gaps, and a unique index prevents repeats. So the right number means all events.
  expect(followed).toHaveLength(recorded);
  const versions = new Map<string, number>();
  for (const { stream, position } of followed) {
    expect(position, stream).toBe((versions.get(stream) ?? 0) + 1);
    versions.set(stream, position);
  }
  expect(await countOf(pool, 'feed')).toBe(recorded);
  expect(await countOf(pool, 'outbox')).toBe(0);
});

it('keeps up while another transaction stays open', async () => {
  const lags: number[] = [];
  const leader = leaderOf((lagMs) => lags.push(...lagMs));
  leader.start();
  const appending: Promise<void>[] = [];
  const begin = Date.now();
  while (Date.now() - begin < 3_000) {
    while (appending.length < ((Date.now() - begin) / 1_000) * 400) {
      appending.push(appendRaw(pool, `s${appending.length}`, 0));
    }
    await sleep(5);
  }
  await Promise.all(appending);
  await until(() => lags.length === appending.length);
  await leader.stop();
  lags.sort((a, b) => a - b);
  const percentile = (part: number): number | undefined => lags[Math.floor(lags.length * part)];
  // Not asserted, because it depends on other load of the machine.
  console.log(`feed lag, ${lags.length} events: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms`);
  expect(await countOf(pool, 'feed')).toBe(appending.length);
});
