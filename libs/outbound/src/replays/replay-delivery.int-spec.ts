import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { orderNo } from '../../../../test/support/pings/ping-rows.js';
import type { WebhookDouble } from '../../../../test/support/webhooks/webhook-double.js';
import { createWebhookStand, type WebhookStand } from '../../../../test/support/webhooks/webhook-stand.js';
import { ReplayWork } from '../replay-work.js';
import { Replays } from '../replays.js';

const PER_SECOND = 20;
const ORDERS = [1, 2, 3, 4, 5, 6];
const clock = new SystemClock();

let stand: WebhookStand;
let receiver: WebhookDouble;
let replays: Replays;
beforeAll(async () => {
  stand = await createWebhookStand(clock);
  ({ receiver } = stand);
  replays = new Replays(stand.pool, clock, new TimeOrderedIds());
  for (let round = 0; round < 5; round += 1) await stand.addEntries(...ORDERS);
});
afterAll(() => stand.stop());

it('sends everything to a webhook again, each order in sequence, at its rate, by two workers', async () => {
  const webhook = await stand.create(receiver.url, { from_position: 0 });
  await stand.worker().delivery.drain(webhook.id);
  expect(receiver.received).toHaveLength(30);

  const receivedAt: number[] = [];
  receiver.received.length = 0;
  receiver.answering = () => {
    receivedAt.push(clock.now());
    return {};
  };
  const started = await replays.start({
    endpoint: webhook.id,
    selection: { order_ids: ORDERS.map(orderNo) },
    per_second: PER_SECOND,
  });
  if ('error' in started) throw new Error(started.error);
  expect(started.total).toBe(30);

  const workers = [1, 2].map(() => ({
    replays: new ReplayWork(stand.pool, clock, { schedule: () => Promise.resolve() }),
    delivery: stand.worker().delivery,
  }));
  const deadline = clock.now() + 20_000;
  while ((await replays.find(started.id))?.state === 'running') {
    if (clock.now() > deadline) expect.fail('it does not end');
    await Promise.all(workers.map((worker) => worker.replays.step()));
    await Promise.all(workers.map((worker) => worker.delivery.drain(webhook.id)));
    await pause(10);
  }

  expect(receiver.received).toHaveLength(30);
  for (const order of ORDERS) {
    const positions = receiver.positionsOf(orderNo(order));
    expect(positions).toEqual([0, 1, 2, 3, 4].map((round) => round * ORDERS.length + order));
  }
  // Deliveries that a busy machine delays come closer together, so half of the rate more is allowed.
  const most = Math.max(
    ...receivedAt.map((at) => receivedAt.filter((other) => other > at - 1_000 && other <= at).length),
  );
  expect(most).toBeLessThanOrEqual(PER_SECOND * 1.5);
});
