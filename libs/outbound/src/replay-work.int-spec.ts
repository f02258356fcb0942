import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Replay } from './replay.contract.js';
import { createPool } from '#database/pool';
import { pingId } from './ping-id.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { CountingIds, FixedClock } from '../../../test/support/fixed-clock.js';
import { addPings, orderNo } from '../../../test/support/pings/ping-rows.js';
import { until } from '../../../test/support/until.js';
import { addStreamEntries } from '../../../test/support/webhooks/webhook-stand.js';
import type { Selection } from './replay-selection.js';
import { ReplayWork, type Released } from './replay-work.js';
import { Replays } from './replays.js';

const ORDERS = 10;
const WEBHOOK = `whk_${'a'.repeat(32)}`;
const everyOrder = Array.from({ length: ORDERS }, (_, index) => orderNo(index + 1));

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
const clock = new FixedClock();
let replays: Replays;
let scheduled: Released[];
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined };
  pool = createPool(options);
  owner = createPool({ ...options, asOwner: true });
  replays = new Replays(pool, clock, new CountingIds());
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

/** Ten orders with two pings each, all delivered: the first ping of each, then the second of each. One webhook without deliveries. */
beforeEach(async () => {
  await owner.query(
    'truncate pings, ping_leases, ping_attempts, ping_stream, replays, replay_items, webhooks, webhook_secrets, webhook_deliveries',
  );
  const keys = [1, 2].flatMap((sequence) => everyOrder.map((order_id) => ({ order_id, sequence })));
  await addPings(
    pool,
    keys.map(({ order_id, sequence }) => ({ orderId: order_id, sequence, dueAt: clock.now() })),
  );
  await addStreamEntries(
    owner,
    keys.map((key, index) => ({ ...key, position: index + 1 })),
  );
  await pool.query(`update pings set state = 'delivered', tries = 1, next_try_at = null, delivered_at = now()`);
  await pool.query(
    `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at)
     values ($1, 'https://one.example', 100, 20, 20, now(), now())`,
    [WEBHOOK],
  );
  scheduled = [];
});

const scheduler = { schedule: (released: Released) => Promise.resolve(void scheduled.push(released)) };
const worker = () => new ReplayWork(pool, clock, scheduler);

async function start(perSecond: number, selection: Selection = {}, endpoint = 'platform'): Promise<Replay> {
  const started = await replays.start({ endpoint, selection, per_second: perSecond });
  if ('error' in started) throw new Error(started.error);
  return started;
}

const found = async (id: string) => (await replays.find(id)) ?? expect.fail('no such replay');

/** Delivers the due pings, as far as a replay can see. */
async function deliver(): Promise<string[]> {
  const { rows } = await pool.query<{ order_id: string; sequence: number }>(
    `with due as (select order_id, sequence, next_try_at from pings where state = 'pending' and next_try_at <= $1),
     done as (update pings set state = 'delivered', next_try_at = null, tries = tries + 1 from due
       where pings.order_id = due.order_id and pings.sequence = due.sequence)
     select order_id, sequence from due order by next_try_at, order_id, sequence`,
    [clock.iso()],
  );
  return rows.map(({ order_id, sequence }) => pingId({ orderId: order_id, sequence }));
}

describe('the entries of a replay', () => {
  it.each<[string, Selection, number]>([
    ['all of one order', { order_ids: [orderNo(3)] }, 2],
    [
      'these pings',
      { ids: [pingId({ orderId: orderNo(1), sequence: 2 }), pingId({ orderId: orderNo(9), sequence: 1 })] },
      2,
    ],
    ['a status', { statuses: ['pending'] }, 10],
    ['what it is asked for in every respect', { order_ids: [orderNo(3)], statuses: ['confirmed'] }, 1],
    ['what happened since', { since: '2000-01-01T00:00:00Z' }, 20],
    ['what happened before', { until: '2000-01-01T00:00:00Z' }, 0],
    ['nothing of an unknown order', { order_ids: ['ord_unknown'] }, 0],
  ])('is %s', async (_, selection, total) => {
    const preview = await replays.preview({ endpoint: 'platform', selection, per_second: 1 });
    expect(preview).toMatchObject({ total });
    expect(await replays.list({ limit: 10 })).toEqual([]);
    const replay = await start(5, selection);
    expect(replay).toMatchObject({ total, sent: 0, state: total === 0 ? 'done' : 'running', selection, per_second: 5 });
  });

  it('are shown in advance by the ids of the first ones', async () => {
    const preview = await replays.preview({ endpoint: 'platform', selection: {}, per_second: 1 });
    expect(preview).toEqual({ total: 20, ids: everyOrder.map((orderId) => pingId({ orderId, sequence: 1 })) });
  });

  it('cannot be selected for an unknown endpoint', async () => {
    const unknown = { error: 'UNKNOWN_ENDPOINT' };
    expect(await replays.start({ endpoint: 'whk_none', selection: {}, per_second: 1 })).toEqual(unknown);
    expect(await replays.preview({ endpoint: 'whk_none', selection: {}, per_second: 1 })).toEqual(unknown);
  });
});

describe('a replay to the platform', () => {
  it('sends everything once, in sequence, never above its rate, by any number of workers and steps', async () => {
    const { id } = await start(8);
    const begun = clock.now();
    const sent: [id: string, at: number][] = [];
    for (let round = 0; (await found(id)).state === 'running'; round += 1) {
      if (round > 500) expect.fail('it does not end');
      await Promise.all([worker().step(), worker().step(), worker().step()]);
      clock.advance(50);
      for (const ping of await deliver()) sent.push([ping, clock.now()]);
      const inOneSecond = sent.filter(([, at]) => at > clock.now() - 1_000).length;
      expect(inOneSecond).toBeLessThanOrEqual(8 + 1);
    }
    const expected = [1, 2].flatMap((sequence) => everyOrder.map((orderId) => pingId({ orderId, sequence })));
    expect(sent.map(([ping]) => ping)).toEqual(expected);
    expect(await found(id)).toMatchObject({ state: 'done', sent: 20, finished_at: expect.any(String) });
    expect(clock.now() - begun).toBeGreaterThan((20 / 8) * 1_000 - 200);
    expect(scheduled.flatMap(({ due }) => due)).toHaveLength(20);
    expect((await pool.query('select from replay_items')).rowCount).toBe(0);
  });

  it('waits while its released items are not tried, and then keeps its rate', async () => {
    const { id } = await start(4);
    for (let round = 0; round < 40; round += 1) {
      await worker().step();
      clock.advance(250);
    }
    const sentAt: number[] = [];
    for (let round = 0; (await found(id)).state === 'running'; round += 1) {
      if (round > 500) expect.fail('it does not end');
      await worker().step();
      sentAt.push(...(await deliver()).map(() => clock.now()));
      expect(sentAt.filter((at) => at > clock.now() - 1_000).length).toBeLessThanOrEqual(4 + 1);
      clock.advance(50);
    }
    expect(sentAt).toHaveLength(20);
  });

  it('is not blocked by another replay that is being stepped', async () => {
    const { id } = await start(2);
    await worker().step();
    await pool.query(`insert into ping_leases values ($1, 1, $2)`, [orderNo(1), new Date(clock.now() + 60_000)]);
    for (let round = 0; round < 12; round += 1) {
      clock.advance(250);
      await pool.query(`update pings set state = 'delivered', next_try_at = null where order_id <> $1`, [orderNo(1)]);
      await worker().step();
    }
    expect((await found(id)).sent).toBeGreaterThan(4);
  });

  it('continues when a ping fails, and leaves the retries to their schedule', async () => {
    const { id } = await start(1_000, { order_ids: [orderNo(1), orderNo(2)] });
    await worker().step();
    clock.advance(100);
    await pool.query(
      `update pings set tries = 1, next_try_at = $1 where state = 'pending' and order_id = $2 and sequence = 1`,
      [new Date(clock.now() + 60_000), orderNo(1)],
    );
    await pool.query(`update pings set state = 'delivered', next_try_at = null where order_id = $1`, [orderNo(2)]);
    await worker().step();
    expect(await found(id)).toMatchObject({ state: 'done', sent: 4 });
  });

  it('is paused, resumed and cancelled', async () => {
    const { id } = await start(4);
    await worker().step();
    expect(await replays.pause(id)).toMatchObject({ state: 'paused' });
    clock.advance(60_000);
    expect(await deliver()).toHaveLength(2);
    await worker().step();
    clock.advance(1_000);
    expect(await deliver()).toEqual([]);

    expect(await replays.resume(id)).toMatchObject({ state: 'running' });
    await worker().step();
    clock.advance(1_000);
    expect(await deliver()).toHaveLength(2);

    expect(await replays.cancel(id)).toMatchObject({ state: 'cancelled', finished_at: clock.iso() });
    await worker().step();
    clock.advance(1_000);
    expect(await deliver()).toEqual([]);
    expect((await pool.query('select from replay_items')).rowCount).toBe(0);
    for (const change of ['pause', 'resume', 'cancel'] as const) {
      await expect(replays[change](id)).rejects.toThrow('The replay has ended.');
      expect(await replays[change]('rpl_none')).toBeUndefined();
    }
  });

  it('loses and repeats nothing when a process dies during a step', async () => {
    const { id } = await start(1_000);
    const killed = new ReplayWork(
      { query: pool.query.bind(pool), connect: () => pool.connect().then(failingBeforeCommit) } as Pool,
      clock,
      scheduler,
    );
    await expect(killed.step()).rejects.toThrow('killed');
    expect((await pool.query(`select from pings where state = 'pending'`)).rowCount).toBe(0);
    // The server rolls back when it learns that the connection is gone. Until then the replay is locked, and a step skips it.
    await until(async () => (await pool.query('select from replays for update skip locked')).rowCount === 1);
    await worker().step();
    clock.advance(1_000);
    expect(await deliver()).toHaveLength(20);
    await worker().step();
    expect(await found(id)).toMatchObject({ state: 'done', sent: 20 });
  });
});

function failingBeforeCommit<T extends { query: unknown; release: unknown }>(client: T): T {
  const query = (client.query as (...given: unknown[]) => Promise<unknown>).bind(client);
  const given = {
    query: (text: string, ...rest: unknown[]) =>
      ['commit', 'rollback'].includes(text) ? Promise.reject(new Error('killed')) : query(text, ...rest),
    release: (client.release as (broken?: Error) => void).bind(client),
  };
  return given as unknown as T;
}

describe('a replay to a webhook', () => {
  const deliveries = async () =>
    (
      await pool.query<{ position: number; state: string }>(
        'select position, state from webhook_deliveries where webhook_id = $1 order by next_try_at, position',
        [WEBHOOK],
      )
    ).rows;

  it('makes deliveries due, including entries that the webhook never got', async () => {
    const { id } = await start(100, { order_ids: [orderNo(1), orderNo(2)] }, WEBHOOK);
    await worker().step();
    expect((await deliveries()).map(({ position }) => position)).toEqual([1, 2, 11, 12]);
    expect(scheduled).toMatchObject([{ endpoint: WEBHOOK, due: { length: 4 } }]);
    await pool.query(`update webhook_deliveries set state = 'delivered', next_try_at = null, tries = 1`);
    await worker().step();
    expect(await found(id)).toMatchObject({ state: 'done', sent: 4 });

    await start(100, { order_ids: [orderNo(2)] }, WEBHOOK);
    await worker().step();
    const pending = (await deliveries()).filter(({ state }) => state === 'pending');
    expect(pending.map(({ position }) => position)).toEqual([2, 12]);
  });

  it('has only entries that the webhook wants and has ingested', async () => {
    await pool.query(`update webhooks set statuses = '{confirmed}', position = 15`);
    expect(await start(1, { since: '2000-01-01T00:00:00Z' }, WEBHOOK)).toMatchObject({ total: 5 });
  });

  it('ends if its webhook was removed', async () => {
    const { id } = await start(1, {}, WEBHOOK);
    await pool.query('delete from webhooks');
    await worker().step();
    expect(await found(id)).toMatchObject({ state: 'cancelled' });
    expect(await deliveries()).toEqual([]);
  });
});
