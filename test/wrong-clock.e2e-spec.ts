import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { wholesaleBody } from './support/purchase-bodies.js';
import { SettableClock } from './support/stand/settable-clock.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';
import { acceptWebhook, WebhookDouble } from './support/webhooks/webhook-double.js';

const HOUR_MS = 3_600_000;
// Enough for a retry and a sweep on a busy machine, and far below an hour.
const SOON = { withinMs: 20_000 };

let stand: Stand;
let receiver: WebhookDouble;
let apiClock: SettableClock;
let workerClock: SettableClock;
beforeAll(async () => {
  [stand, receiver] = await Promise.all([
    Stand.start({ database: 'shared', apis: 0, workers: 0, settings: { WEBHOOK_ALLOW_PRIVATE: 'true' } }),
    WebhookDouble.start(),
  ]);
  apiClock = new SettableClock(stand.folder, 'api');
  workerClock = new SettableClock(stand.folder, 'worker');
  await stand.addApi('api', apiClock.environment);
  await stand.addWorker('worker', workerClock.environment);
  await stand.staff.putListing('lst-1', { quantity: 1_000 });
  await stand.staff.send('POST', 'webhooks', { url: receiver.url });
});
afterAll(async () => {
  await stand.close();
  await receiver.stop();
});
beforeEach(() => {
  apiClock.setAhead(0);
  workerClock.setAhead(0);
  stand.platform.respond = () => ({});
  receiver.answering = acceptWebhook;
});

let bought = 0;
async function buy(listing = 'lst-1'): Promise<string> {
  bought += 1;
  const body = wholesaleBody();
  body.ref_id = `clock-${bought}`;
  body.product.listing_id = listing;
  return await stand.wholesale.bought(body);
}

/** Whether all statuses of these orders have reached the platform and the receiver. */
async function arrived(orders: readonly string[]): Promise<boolean> {
  const { rows } = await stand.pool.query(
    `select from pings where order_id = any($1) and state <> 'delivered'
     union all select from webhook_deliveries where order_id = any($1) and state <> 'delivered'`,
    [orders],
  );
  const told = orders.filter(
    (orderId) => stand.platform.of(orderId).length > 0 && receiver.positionsOf(orderId).length > 0,
  );
  return rows.length === 0 && told.length === orders.length;
}

it('a worker that is an hour ahead for a while delays nothing, then or later', async () => {
  workerClock.setAhead(HOUR_MS);
  stand.platform.respond = () => ({ status: 503 });
  receiver.answering = () => ({ status: 503 });
  const orders: string[] = [];
  for (let number = 0; number < 15; number += 1) {
    orders.push(await buy());
    await pause(100);
  }
  // When the clock is corrected, one ping is being sent and another waits for its retry.
  await until(() => stand.platform.arrivals.length > 20 && receiver.received.length > 10);
  workerClock.setAhead(0);
  stand.platform.respond = () => ({});
  receiver.answering = acceptWebhook;
  await until(() => arrived(orders), SOON);
  const last = await buy();
  await until(() => arrived([last]), SOON);
});

it('a worker that stays an hour ahead delivers, and writes no time beyond its longest wait', async () => {
  workerClock.setAhead(HOUR_MS);
  receiver.answering = () => ({ status: 503 });
  stand.platform.respond = () => ({ status: 503 });
  const order = await buy();
  await until(() => receiver.positionsOf(order).length > 1 && stand.platform.of(order).length > 1, SOON);
  const { rows } = await stand.pool.query(
    `select leased_until as at from ping_leases union all select leased_until from webhook_leases
     union all select next_try_at from pings where next_try_at is not null
     union all select next_try_at from webhook_deliveries where next_try_at is not null
     union all select open_until from webhooks union all select paced_until from webhooks
     union all select open_until from ping_endpoints`,
  );
  const latest = Math.max(...rows.map(({ at }) => Number(at ?? 0)));
  expect(latest).toBeLessThan(Date.now() + 60_000);
  receiver.answering = acceptWebhook;
  stand.platform.respond = () => ({});
  await until(() => arrived([order]), SOON);
  workerClock.setAhead(0);
});

it.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('the pings of an api that is an hour %s come at once, and are due by the clock of the database', async (_, ms) => {
  apiClock.setAhead(ms);
  await pause(100);
  const order = await buy();
  await until(() => arrived([order]), SOON);
  const { rows } = await stand.pool.query<{ apart: number }>(
    `select abs(extract(epoch from due_since - now()))::float8 as apart from pings where order_id = $1`,
    [order],
  );
  expect(Math.max(...rows.map(({ apart }) => apart))).toBeLessThan(60);
  apiClock.setAhead(0);
});

it.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('an api that is an hour %s gives a seller neither more nor less time to confirm', async (_, ms) => {
  apiClock.setAhead(ms);
  await pause(100);
  await stand.staff.putListing('lst-manual', { quantity: 10, confirmation: 'manual', confirm_within_minutes: 30 });
  const order = await buy('lst-manual');
  const { rows } = await stand.pool.query<{ due_for: string; apart: number; placed_apart: number }>(
    `select due_for, abs(extract(epoch from due_at - now() - interval '30 minutes'))::float8 as apart,
            abs(extract(epoch from placed_at - now()))::float8 as placed_apart
     from orders where id = $1`,
    [order],
  );
  expect(rows).toEqual([{ due_for: 'confirmation', apart: expect.any(Number), placed_apart: expect.any(Number) }]);
  expect(Math.max(...rows.flatMap(({ apart, placed_apart }) => [apart, placed_apart]))).toBeLessThan(60);
  apiClock.setAhead(0);
});

it('pings that staff send again while the api is an hour ahead go out at once', async () => {
  const order = await buy();
  await until(() => arrived([order]), SOON);
  apiClock.setAhead(HOUR_MS);
  await pause(100);
  const before = stand.platform.of(order).length;
  const { status } = await stand.staff.send('POST', 'pings/send', { order_id: order, state: 'delivered' });
  expect(status).toBe(200);
  await until(() => stand.platform.of(order).length > before, SOON);
  apiClock.setAhead(0);
});
