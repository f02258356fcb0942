import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { createPool } from '#database/pool';
import { appendRaw } from '../../../test/support/postgres/append.js';
import { killLockHolder, sessionsOf } from '../../../test/support/postgres/locks.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { FeedLeader } from './feed-leader.js';
import { readFeed } from './feed-reader.js';
import { type FeedHandler, resetSubscription, Subscription, type SubscriptionOptions } from './subscription.js';

const LOCK = 'subscription copy';

describe('a subscription', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  let stoppable: { stop(): Promise<void> }[];
  let errors: unknown[];

  beforeEach(async () => {
    database = await createTestDatabase();
    owner = createPool({
      databaseUrl: database.url,
      max: 10,
      applicationName: 'test',
      onError: () => undefined,
      asOwner: true,
    });
    // No unique index, so that a row that is written twice shows.
    await owner.query(`create table copied (n bigint generated always as identity, position bigint, by text);
      grant all on copied to willcall_app`);
    errors = [];
    const leader = new FeedLeader({
      connection: connection(),
      clock: new SystemClock(),
      onError: (error) => errors.push(error),
    });
    leader.start();
    stoppable = [leader];
  });

  afterEach(async () => {
    await Promise.all(stoppable.map((one) => one.stop()));
    await owner.end();
    await database.drop();
  });

  const connection = (): pg.ClientConfig => ({ connectionString: database.url, options: '-c role=willcall_app' });

  const copyAs =
    (by: string): FeedHandler =>
    async (events, tx) => {
      const positions = events.map((event) => event.global_position);
      await tx.query('insert into copied (position, by) select unnest($1::bigint[]), $2', [positions, by]);
    };

  function subscribe(handle = copyAs('it'), options: Partial<SubscriptionOptions> = {}): Subscription {
    const subscription = new Subscription({
      name: 'copy',
      connection: connection(),
      handle,
      onError: (error) => errors.push(error),
      ...options,
    });
    stoppable.push(subscription);
    subscription.start();
    return subscription;
  }

  async function copied(): Promise<number[]> {
    const { rows } = await owner.query<{ position: number }>('select position from copied order by n');
    return rows.map((row) => row.position);
  }

  const inFeed = async () => (await owner.query('select from feed')).rowCount;

  const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);

  it('passes on every event in order, with all its recorded data', async () => {
    const seen: unknown[] = [];
    await appendRaw(owner, 'a', 0, 2);
    subscribe(async (events) => void seen.push(...events));
    await until(() => seen.length === 2);
    await appendRaw(owner, 'b', 0);
    await until(() => seen.length === 3);
    expect(seen).toMatchObject([
      { global_position: 1, stream: 'a', position: 1, event_id: 'a#1', type: 'SomethingHappened' },
      { global_position: 2, stream: 'a', position: 2, data: {}, metadata: { actor: 'system:test' } },
      { global_position: 3, stream: 'b', position: 1, recorded_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
    ]);
    expect(seen).toEqual((await readFeed(owner, { after: 0, limit: 10 })).events);
  });

  it('continues where it stopped when it is started again', async () => {
    await appendRaw(owner, 'a', 0, 450);
    const first = subscribe();
    await until(async () => (await copied()).length === 450);
    await first.stop();
    await appendRaw(owner, 'a', 450, 5);
    subscribe();
    await until(async () => (await copied()).length >= 455);
    expect(await copied()).toEqual(upTo(455));
    expect(errors).toEqual([]);
  });

  it('repeats nothing committed and skips nothing when it is killed during batches', async () => {
    await appendRaw(owner, 'a', 0, 2_000);
    const slowly: FeedHandler = async (events, tx) => {
      await copyAs('it')(events.slice(0, 10), tx);
      await tx.query('select pg_sleep(0.02)');
      await copyAs('it')(events.slice(10), tx);
    };
    subscribe(slowly, { batch: 20 });
    subscribe(slowly, { batch: 20 });
    let kills = 0;
    while ((await copied()).length < 2_000) {
      const before = (await copied()).length;
      if (kills < 5 && (await killLockHolder(owner, LOCK))) kills += 1;
      await until(async () => (await copied()).length >= Math.min(2_000, before + 100));
    }
    expect(await copied()).toEqual(upTo(2_000));
    expect(kills).toBeGreaterThanOrEqual(5);
    expect(errors.length).toBeGreaterThanOrEqual(5);
  });

  it('runs in one process, and in another one within 2 s when that is lost', async () => {
    await appendRaw(owner, 'a', 0);
    const first = subscribe(copyAs('first'));
    await until(async () => (await copied()).length === 1);
    const second = subscribe(copyAs('second'));
    await until(async () => (await sessionsOf(owner, LOCK)).length === 2);
    expect([first.holdsLock, second.holdsLock]).toEqual([true, false]);
    await appendRaw(owner, 'a', 1, 10);
    await until(async () => (await copied()).length === 11);
    const stopped = first.stop();
    await appendRaw(owner, 'a', 11);
    await until(async () => (await copied()).length === 12, { withinMs: 2_000 });
    await stopped;
    const { rows } = await owner.query('select by, count(*)::int from copied group by by order by by');
    expect(rows).toEqual([
      { by: 'first', count: 11 },
      { by: 'second', count: 1 },
    ]);
  });

  it('retries the same events when the handler fails, and keeps nothing of the failed batch', async () => {
    let failures = 3;
    await appendRaw(owner, 'a', 0, 4);
    await until(async () => (await inFeed()) === 4);
    subscribe(async (events, tx) => {
      await copyAs('it')(events, tx);
      if ((failures -= 1) >= 0) throw new Error('the handler failed');
    });
    await until(async () => (await copied()).length > 0);
    expect(await copied()).toEqual(upTo(4));
    expect(errors).toEqual(Array.from({ length: 3 }, () => new Error('the handler failed')));
  });

  it('notices that the handler swallowed an error of the database', async () => {
    let swallowsErrors = true;
    await appendRaw(owner, 'a', 0, 4);
    await until(async () => (await inFeed()) === 4);
    subscribe(async (events, tx) => {
      await copyAs('it')(events, tx);
      if (swallowsErrors) await tx.query('select 1/0').catch(() => undefined);
      swallowsErrors = false;
    });
    await until(async () => (await copied()).length > 0);
    expect(await copied()).toEqual(upTo(4));
    expect(errors).toMatchObject([{ message: expect.stringContaining('unnoticed') }]);
  });

  it('starts at the first event after a reset, and keeps nothing of the running batch', async () => {
    await appendRaw(owner, 'a', 0, 300);
    subscribe();
    await until(async () => (await copied()).length === 300);
    // As a rebuild does: back to zero and empty in one transaction, while the subscription writes the same table.
    const rebuild = await owner.connect();
    await rebuild.query('begin');
    await resetSubscription(rebuild, 'copy');
    await appendRaw(owner, 'a', 300);
    await until(async () => (await owner.query('select from pg_locks where not granted')).rowCount === 1);
    await rebuild.query('truncate copied');
    await rebuild.query('commit');
    rebuild.release();
    await until(async () => (await copied()).length >= 301);
    expect(await copied()).toEqual(upTo(301));
    expect(errors).toEqual([]);
  });

  it('makes a reset wait for the running batch', async () => {
    let resetting: Promise<void> | undefined;
    await appendRaw(owner, 'a', 0, 3);
    subscribe(async (events, tx) => {
      await copyAs('it')(events, tx);
      if (resetting) return;
      resetting = resetSubscription(owner, 'copy');
      await until(async () => (await owner.query('select from pg_locks where not granted')).rowCount === 1);
    });
    await until(async () => (await copied()).length >= 6);
    expect(await copied()).toEqual([...upTo(3), ...upTo(3)]);
    expect(errors).toEqual([]);
    await resetting;
  });

  it('repeats effects outside the transaction when the transaction failed', async () => {
    const handled: number[] = [];
    await appendRaw(owner, 'a', 0, 2);
    await until(async () => (await inFeed()) === 2);
    subscribe(async (events) => {
      handled.push(...events.map((event) => event.global_position));
      if (handled.length === 2) await killLockHolder(owner, LOCK);
    });
    await until(() => handled.length === 4);
    expect(handled).toEqual([1, 2, 1, 2]);
  });
});

describe('reading the feed', () => {
  it('pages, returns where to continue, and rejects a feed with a gap', async () => {
    const database = await createTestDatabase();
    const owner = createPool({
      databaseUrl: database.url,
      max: 10,
      applicationName: 'test',
      onError: () => undefined,
      asOwner: true,
    });
    await appendRaw(owner, 'a', 0, 5);
    await owner.query('insert into feed values (1, $1, 1), (2, $1, 2), (3, $1, 3), (5, $1, 4)', ['a']);
    const page = await readFeed(owner, { after: 1, limit: 2 });
    expect(page.events.map((event) => event.global_position)).toEqual([2, 3]);
    expect(page.next).toBe(3);
    expect(await readFeed(owner, { after: 9, limit: 2 })).toEqual({ events: [], next: 9 });
    await expect(readFeed(owner, { after: 3, limit: 2 })).rejects.toThrow('position 4');
    await owner.end();
    await database.drop();
  });
});
