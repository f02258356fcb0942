import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import type { NewJob } from '#delivery-kit/job-queue';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { addOrder, addPings, orderNo } from '../../../../test/support/pings/ping-rows.js';
import { createBreaker } from '../../../../test/support/pings/platform-breakers.js';
import { type PendingPing, PingLedger } from './ping-ledger.js';
import type { PingJob } from './ping-queue.js';
import { PingScheduler } from '../ping-scheduler.js';
import { PingSweep } from './ping-sweep.js';
import type { PlatformCircuitBreaker } from './platform-circuit-breaker.js';

const SETTINGS = { breaker: { failuresToOpen: 1, firstMs: 1_000, maxMs: 10_000 }, forMs: 600_000 };

/** Works like BullMQ: adding an existing job changes nothing. */
class CountingQueue {
  readonly jobs = new Map<string, PingJob>();
  adds = 0;

  async add(jobs: readonly NewJob<PingJob>[]): Promise<void> {
    this.adds += jobs.length;
    for (const { id, data } of jobs) this.jobs.set(id, data);
  }

  async depth() {
    return { waiting: this.jobs.size, active: 0, delayed: 0 };
  }

  get orders(): string[] {
    return [...this.jobs.values()].map(({ orderId }) => orderId);
  }
}

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let clock: FixedClock;
let queue: CountingQueue;
let circuitBreaker: PlatformCircuitBreaker;
let sweep: PingSweep;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 4 });
  owner = createPool({ ...options, max: 1, asOwner: true });
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});
beforeEach(async () => {
  await owner.query('truncate pings, ping_leases');
  clock = new FixedClock();
  queue = new CountingQueue();
  circuitBreaker = createBreaker(
    { send: async () => ({ httpStatus: 502, error: 'away', answer: null }) },
    clock,
    SETTINGS,
  );
  sweep = new PingSweep(pool, queue, new PingScheduler(queue, clock), clock, circuitBreaker);
});

const manyOrders = (count: number) =>
  addPings(
    pool,
    Array.from({ length: count }, (_, index) => ({
      orderId: orderNo(index + 1),
      sequence: 1,
      dueAt: clock.now() - count + index,
    })),
  );

describe('a sweep', () => {
  it('adds one job for each order with a due ping, with the id that the scheduler uses', async () => {
    const dueAt = clock.now() - 1_000;
    await addOrder(pool, orderNo(1), 3, dueAt);
    await addOrder(pool, orderNo(2), 1, dueAt);
    await sweep.sweep();
    expect([...queue.jobs.keys()].toSorted()).toEqual([`${orderNo(1)}-${dueAt}`, `${orderNo(2)}-${dueAt}`]);
  });

  it('does nothing if nothing is due', async () => {
    await addPings(pool, [{ orderId: orderNo(1), sequence: 1, dueAt: clock.now() + 1 }]);
    await sweep.sweep();
    expect(queue.adds).toBe(0);
    clock.advance(1);
    await sweep.sweep();
    expect(queue.orders).toEqual([orderNo(1)]);
  });

  it('skips an order whose first ping waits for a retry, and schedules it when the retry is due', async () => {
    await addOrder(pool, orderNo(1), 3, clock.now() - 1_000);
    const retryAt = clock.now() + 5_000;
    await pool.query('update pings set next_try_at = $1, tries = 1, attempts = 1 where sequence = 1', [
      new Date(retryAt),
    ]);
    await sweep.sweep();
    expect(queue.adds).toBe(0);
    clock.advance(5_000);
    await sweep.sweep();
    expect([...queue.jobs.keys()]).toEqual([`${orderNo(1)}-${retryAt}-due`]);
  });

  it('adds a job for an order whose lease ends later than any lease can', async () => {
    await addOrder(pool, orderNo(1), 1, clock.now() - 1_000);
    const until = new Date(clock.now() + 3_600_000);
    await pool.query('insert into ping_leases (order_id, fence, leased_until) values ($1, 1, $2)', [orderNo(1), until]);
    await sweep.sweep();
    expect(queue.orders).toEqual([orderNo(1)]);
  });

  it('skips an order that is being delivered, until its lease expires', async () => {
    await addOrder(pool, orderNo(1), 1, clock.now() - 1_000);
    await new PingLedger(pool, clock, new SystemRandomness(), { leaseMs: 20_000 }).take(orderNo(1));
    clock.advance(19_999);
    await sweep.sweep();
    expect(queue.adds).toBe(0);
    clock.advance(1);
    await sweep.sweep();
    expect(queue.orders).toEqual([orderNo(1)]);
  });

  it('processes any number of due pings in pages, and starts over after the last', async () => {
    await manyOrders(9_000);
    const seen = new Set<string>();
    for (const most of [4_000, 8_000, 9_000]) {
      await sweep.sweep();
      for (const orderId of queue.orders) seen.add(orderId);
      expect(seen.size).toBe(most);
      queue.jobs.clear();
    }
    await sweep.sweep();
    expect(queue.jobs.size).toBe(4_000);
    expect(queue.orders[0]).toBe(orderNo(1));
  });

  it('does not repeat jobs while the jobs of a backlog wait', async () => {
    await manyOrders(3_000);
    await sweep.sweep();
    expect(queue.adds).toBe(3_000);
    for (let time = 0; time < 10; time += 1) await sweep.sweep();
    expect(queue.adds).toBe(3_000);
    queue.jobs.clear();
    await sweep.sweep();
    expect(queue.jobs.size).toBe(3_000);
  });

  it('passes any number of blocked pings', async () => {
    const held = Array.from({ length: 2_500 }, (_, index) => orderNo(index + 1));
    const dueAt = clock.now() - 10_000;
    await addPings(
      pool,
      held.flatMap((orderId) => [1, 2].map((sequence) => ({ orderId, sequence, dueAt }))),
    );
    await pool.query('update pings set next_try_at = $1, tries = 1, attempts = 1 where sequence = 1', [
      new Date(clock.now() + 60_000),
    ]);
    await addOrder(pool, orderNo(0xffff), 1, clock.now());
    await sweep.sweep();
    expect(queue.orders).toEqual([orderNo(0xffff)]);
  });

  it('schedules nothing while the platform is down, except one probe and the last tries', async () => {
    await manyOrders(1_500);
    const old = { orderId: orderNo(0xffff), sequence: 1, dueAt: clock.now() - 100 };
    await addPings(pool, [old]);
    await pool.query('update pings set due_since = $1 where order_id = $2', [
      new Date(clock.now() - SETTINGS.forMs),
      old.orderId,
    ]);
    await circuitBreaker.send(
      (await new PingLedger(pool, clock, new SystemRandomness(), { leaseMs: 20_000 }).head(orderNo(7))) as PendingPing,
    );
    await sweep.sweep();
    expect(queue.orders).toEqual([old.orderId]);
    queue.jobs.clear();
    clock.advance(SETTINGS.breaker.firstMs);
    await sweep.sweep();
    expect(queue.orders).toContain(orderNo(1));
    // One of each page that it reads.
    expect(queue.orders.length).toBeLessThanOrEqual(3);
  });

  it('throws if the queue is unreachable, and finds the same pings again next time', async () => {
    await addOrder(pool, orderNo(1), 1, clock.now());
    const away = new PingScheduler({ add: () => Promise.reject(new Error('away')) }, clock);
    const failing = new PingSweep(pool, queue, away, clock, circuitBreaker);
    await expect(failing.sweep()).rejects.toThrow('away');
    await expect(failing.sweep()).rejects.toThrow('away');
  });
});
