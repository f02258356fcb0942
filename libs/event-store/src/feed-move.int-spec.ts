import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { appendRaw } from '../../../test/support/postgres/append.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { AwaitedIds, type IdRange } from './awaited-ids.js';
import { DUE, FEED_BATCH, MOVER_SETTINGS, moveToFeed } from './feed-move.js';
import { OutboxWriters } from './outbox-writers.js';

describe('moving the outbox into the feed', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let mover: pg.PoolClient;
  let foreign: pg.PoolClient;

  beforeEach(async () => {
    database = await createTestDatabase();
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query('create table elsewhere (n int); grant insert on elsewhere to willcall_app');
    await owner.end();
    pool = createPool({ databaseUrl: database.url, max: 10, applicationName: 'test', onError: () => undefined });
    mover = await pool.connect();
    foreign = await pool.connect();
    await mover.query(MOVER_SETTINGS);
  });

  afterEach(async () => {
    mover.release();
    foreign.release();
    await pool.end();
    await database.drop();
  });

  it('assigns positions without gaps in the order of the outbox, over several batches', async () => {
    for (const stream of ['b', 'a', 'b', 'c']) {
      await appendRaw(pool, stream, await lengthOf(stream), 2);
      await moveToFeed(mover, new AwaitedIds().ranges);
    }
    const { rows } = await pool.query<{ line: string }>(
      "select concat(position, ' ', stream, '#', stream_position) as line from feed order by position",
    );
    const lines = rows.map((row) => row.line);
    expect(lines).toEqual(['1 b#1', '2 b#2', '3 a#1', '4 a#2', '5 b#3', '6 b#4', '7 c#1', '8 c#2']);
    expect((await pool.query('select from outbox')).rowCount).toBe(0);
  });

  it('moves one batch at a time, the lowest ids first, whatever the ranges', async () => {
    await appendRaw(pool, 'a', 0, FEED_BATCH + 10);
    const ranges = [
      { low: 1, high: 5 },
      { low: 6, high: Number.MAX_SAFE_INTEGER },
    ];
    const first = await moveToFeed(mover, ranges);
    expect(first.map((row) => row.id)).toEqual(Array.from({ length: FEED_BATCH }, (_, index) => index + 1));
    expect(await moveToFeed(mover, ranges)).toHaveLength(10);
    expect(await moveToFeed(mover, ranges)).toHaveLength(0);
  });

  it('waits for the writers of a low id, and for nobody else', async () => {
    const writers = new OutboxWriters();
    await foreign.query('begin');
    await foreign.query('insert into elsewhere values (1)');
    const slow = await pool.connect();
    await slow.query('begin');
    await appendRaw(slow, 'slow', 0);
    await appendRaw(pool, 'quick', 0, 2);
    expect(await writers.doneUpTo(mover)).toBeUndefined();
    expect(await writers.doneUpTo(mover)).toBeUndefined();
    await slow.query('commit');
    slow.release();
    expect(await writers.doneUpTo(mover)).toBe(3);
    await foreign.query('rollback');
  });

  it('does not wait for writers that began after the id was assigned', async () => {
    const writers = new OutboxWriters();
    const [first, second] = [await pool.connect(), await pool.connect()];
    await first.query('begin');
    await appendRaw(first, 'first', 0);
    expect(await writers.doneUpTo(mover)).toBeUndefined();
    await second.query('begin');
    await appendRaw(second, 'second', 0);
    await first.query('rollback');
    expect(await writers.doneUpTo(mover)).toBe(1);
    expect(await writers.doneUpTo(mover)).toBeUndefined();
    await second.query('rollback');
    expect(await writers.doneUpTo(mover)).toBe(2);
    first.release();
    second.release();
  });

  it('does not miss a writer that gets its id during the check', async () => {
    const late = await pool.connect();
    await late.query('begin');
    let asked = 0;
    const interrupted = {
      async query(query: pg.QueryConfig) {
        const answer = await mover.query(query);
        if ((asked += 1) === 1) await appendRaw(late, 'late', 0);
        return answer;
      },
    } as unknown as pg.ClientBase;
    const doneUpTo = await new OutboxWriters().doneUpTo(interrupted);
    expect(asked).toBe(2);
    expect(doneUpTo ?? 0).toBeLessThan(1);
    await late.query('rollback');
    late.release();
  });

  it('does not scan dead rows while a foreign transaction protects them from vacuum', async () => {
    await foreign.query('begin');
    await foreign.query('insert into elsewhere values (1)');
    const awaited = new AwaitedIds();
    const writers = new OutboxWriters();
    for (let stream = 0; stream < 40; stream += 1) {
      await appendRaw(pool, `s${stream}`, 0, FEED_BATCH);
      awaited.seen((await moveToFeed(mover, awaited.ranges)).map((row) => row.id));
    }
    const lost = await pool.connect();
    await lost.query('begin');
    await appendRaw(lost, 'lost', 0);
    await lost.query('rollback');
    lost.release();
    const doneUpTo = await writers.doneUpTo(mover);
    await moveToFeed(mover, awaited.ranges);
    awaited.settled(doneUpTo ?? 0);

    expect(await pagesRead(awaited.ranges)).toBeLessThan(10);
    // The control: with the ranges of a new leader, the same statement scans every one of the 20,000.
    expect(await pagesRead(new AwaitedIds().ranges)).toBeGreaterThan(100);
    await foreign.query('rollback');
  });

  async function lengthOf(stream: string): Promise<number> {
    return (await pool.query('select from events where stream = $1', [stream])).rowCount ?? 0;
  }

  async function pagesRead(ranges: readonly IdRange[]): Promise<number> {
    const { rows } = await mover.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${DUE}`,
      [ranges.map((range) => range.low), ranges.map((range) => range.high)],
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  }
});
