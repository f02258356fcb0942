import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { queueBackend } from '#delivery-kit/queue-backend';
import { DeadlineQueue } from '#orders/deadlines/deadline-queue';
import { countWaiting, holdLock } from '../support/postgres/locks.js';
import { wholesaleBody } from '../support/purchase-bodies.js';
import { redisAvailable } from '../support/redis.js';
import { codesOfHistory } from '../support/stand/platform-double.js';
import type { Service } from '../support/stand/service.js';
import { SettableClock } from '../support/stand/settable-clock.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

const HOUR_MS = 3_600_000;
// Redis hands the job of a killed worker on after 15 s, and the sweep may wait for it.
const AFTER_A_KILL = { withinMs: 60_000 };

let stand: Stand;
let clocks: SettableClock[];
let deadlines: DeadlineQueue;
let bought = 0;

beforeAll(async () => {
  const settings = { LOCK_TIMEOUT_MS: '60000' };
  const queues = redisAvailable ? 'redis' : 'postgres';
  stand = await Stand.start({ database: 'shared', queues, apis: 1, workers: 0, settings });
  clocks = ['first', 'second'].map((name) => new SettableClock(stand.folder, name));
  for (const [index, clock] of clocks.entries()) await stand.addWorker(`worker-${index}`, clock.environment);
  const redisUrl = stand.parts.redis?.url;
  deadlines = new DeadlineQueue(queueBackend({ redisUrl, databaseUrl: stand.environment['DATABASE_URL'] ?? '' }));
});
afterAll(async () => {
  await deadlines.close();
  await stand.close();
});
beforeEach(() => {
  for (const clock of clocks) clock.setAhead(0);
});

type Waiting = Readonly<{ id: string; listing: string }>;

/** Buys from a listing of its own, and gives the seller so long to answer. */
async function waiting(seconds: number): Promise<Waiting> {
  bought += 1;
  const listing = `deadline-${bought}`;
  await stand.staff.putListing(listing, { quantity: 10, confirmation: 'manual', confirm_within_minutes: 30 });
  const body = wholesaleBody();
  const product = { ...body.product, listing_id: listing };
  const id = await stand.wholesale.bought({ ...body, ref_id: listing, product });
  await stand.pool.query(`update orders set due_at = now() + make_interval(secs => $2) where id = $1`, [id, seconds]);
  return { id, listing };
}

async function codesOf(id: string): Promise<readonly number[]> {
  return codesOfHistory((await stand.wholesale.read(id)).body);
}

/** The order has ended, and its tickets are for sale again, and the platform was told, all of it once. */
async function expectEndedOnce({ id, listing }: Waiting): Promise<void> {
  await until(async () => (await codesOf(id)).includes(3005) && stand.platform.of(id).length > 1, AFTER_A_KILL);
  // Whoever else has the job must be done with it.
  await until(async () => {
    const { waiting: queued, active, delayed } = await deadlines.depth();
    return queued + active + delayed === 0;
  }, AFTER_A_KILL);
  expect(await codesOf(id)).toEqual([1001, 3005]);
  expect(await stand.staff.available(listing)).toBe(10);
  await until(async () => {
    const { rowCount } = await stand.pool.query(`select from pings where order_id = $1 and state <> 'delivered'`, [id]);
    return rowCount === 0;
  });
  expect(new Set(stand.platform.of(id).map(({ transactionId }) => transactionId)).size).toBe(2);
}

/** The first worker is about to end an order. It goes no further until `meanwhile` is done. The second one is started again by then. */
async function whileEnding(meanwhile: (worker: Service) => Promise<void>): Promise<Waiting> {
  await stand.worker(1).terminate();
  const order = await waiting(1);
  const release = await holdLock(stand.pool, `select from listings where id = '${order.listing}' for update`);
  await until(async () => (await countWaiting(stand.pool, 'willcall worker')) > 0);
  await meanwhile(stand.worker(0));
  await stand.worker(1).start();
  await release();
  return order;
}

it('a deadline ends an order once with two workers', async () => {
  const orders = await Promise.all(Array.from({ length: 8 }, () => waiting(1)));
  await Promise.all(orders.map((order) => expectEndedOnce(order)));
});

it('a worker that is killed while it ends an order leaves the rest to the other one', async () => {
  const order = await whileEnding(async (worker) => {
    await worker.kill();
    // Otherwise the server would continue with the statements of the killed process.
    await stand.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'willcall worker' and wait_event_type = 'Lock'`);
  });
  await expectEndedOnce(order);
  await stand.worker(0).start();
});

it('a worker that is killed when the order has ended, but before it knows, does not end it twice', async () => {
  const order = await whileEnding((worker) => Promise.resolve(worker.signal('SIGSTOP')));
  await until(async () => (await codesOf(order.id)).includes(3005));
  await stand.worker(0).kill();
  await expectEndedOnce(order);
  await stand.worker(0).start();
});

it('a delayed job that comes too early, because the clock of a worker jumps ahead, ends nothing', async () => {
  const early = await waiting(59);
  await until(async () => (await deadlines.depth()).delayed === 1);
  for (const clock of clocks) clock.setAhead(HOUR_MS);
  await until(async () => {
    const { waiting: queued, active, delayed } = await deadlines.depth();
    return queued + active + delayed === 0;
  });
  expect(await codesOf(early.id)).toEqual([1001]);
  // At once: on a busy machine its deadline would pass before the end of the test.
  expect((await stand.staff.send('POST', `orders/${early.id}/accept`)).status).toBe(200);
  const due = await waiting(0);
  await expectEndedOnce(due);
  expect(await codesOf(early.id)).toEqual([1001, 2000]);
});

it('an order whose delayed job comes too late, because the clock jumps back, is ended once by the sweep', async () => {
  for (const clock of clocks) clock.setAhead(HOUR_MS);
  const order = await waiting(5);
  await until(async () => (await deadlines.depth()).delayed === 1);
  for (const clock of clocks) clock.setAhead(0);
  await until(async () => (await codesOf(order.id)).includes(3005), AFTER_A_KILL);
  // The delayed job, which would come an hour later, finds the order ended.
  for (const clock of clocks) clock.setAhead(HOUR_MS);
  await expectEndedOnce(order);
});

it('the tables agree with the events in the end', async () => {
  expect(await stand.verify()).toBe('');
});
