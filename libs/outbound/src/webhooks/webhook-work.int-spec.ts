import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JobQueue } from '#delivery-kit/job-queue';
import { JobWorker } from '#delivery-kit/queues/job-worker';
import { processJob } from '#delivery-kit/queue-task';
import type { QueueBackend } from '#delivery-kit/queue-backend';
import { SystemClock } from '#base/clock';
import { Repeater } from '#base/repeater';
import { orderNo } from '../../../../test/support/pings/ping-rows.js';
import { queueServers, redisServer } from '../../../../test/support/queue-backends.js';
import { redisAvailable } from '../../../../test/support/redis.js';
import { until } from '../../../../test/support/until.js';
import { isSignedWith, type WebhookDouble } from '../../../../test/support/webhooks/webhook-double.js';
import { createWebhookStand, type WebhookStand } from '../../../../test/support/webhooks/webhook-stand.js';
import type { WebhookJob } from './webhook-queue.js';
import { WebhookScheduler } from '../webhook-scheduler.js';
import { WebhookSweep } from './webhook-sweep.js';

const NEVER_MS = 1_000_000;
const QUICK = {
  retry: { firstMs: 50, maxMs: 200, forMs: 60_000 },
  breaker: { failuresToOpen: 10, firstMs: 50, maxMs: 200 },
};

const clock = new SystemClock();
const errors: string[] = [];
const report = (error: unknown) => void errors.push((error as Error).message);

let stand: WebhookStand;
let receiver: WebhookDouble;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  stand = await createWebhookStand(clock);
  ({ receiver } = stand);
});
afterAll(() => stand.stop());
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  errors.length = 0;
  await stand.owner.query('truncate webhooks, webhook_secrets, webhook_deliveries, webhook_attempts, webhook_leases');
  stand.forget();
});

/** Like the worker, but without a notification when the stream grows. */
function startWorker(backend: QueueBackend, { sweepEveryMs = NEVER_MS, leaseMs = 5_000, timeoutMs = 5_000 } = {}) {
  const { delivery } = stand.worker({ leaseMs, timeoutMs, lingerMs: 200, ...QUICK });
  const queue = new JobQueue<WebhookJob>('webhooks', backend, report);
  const scheduler = new WebhookScheduler(stand.pool, queue, clock, delivery);
  const worker = new JobWorker<WebhookJob>(backend, {
    name: 'webhooks',
    process: (job) => processJob(job, delivery, scheduler, report),
    concurrency: 60,
    onError: report,
  });
  const webhookSweep = new WebhookSweep(stand.pool, scheduler, clock);
  const sweep = new Repeater(() => webhookSweep.sweep(), { everyMs: sweepEveryMs }, report);
  worker.start();
  sweep.start();
  let stopped: Promise<unknown> | undefined;
  const stop = () => {
    delivery.stop();
    return (stopped ??= Promise.all([sweep.stop(), worker.stop(10_000)]).then(() => queue.close()));
  };
  stops.push(stop);
  return { scheduler, queue, stop };
}

const delivered = (count: number) =>
  until(
    async () => {
      const { rows } = await stand.pool.query(
        `select count(*)::int as count from webhook_deliveries where state = 'delivered'`,
      );
      return (rows[0] as { count: number }).count === count;
    },
    { withinMs: 30_000 },
  );

/** At least once each and in sequence: a repeat follows at once, nothing comes after a later one, and none overlap. */
function expectInOrder(some: readonly number[], entries: number, path: string): void {
  for (const order of some) {
    const received = receiver.positionsOf(orderNo(order), path);
    expect(new Set(received).size).toBe(entries);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  }
  expect(receiver.received.filter(({ besides }) => besides > 0)).toEqual([]);
}

describe.each(queueServers)('webhooks by BullMQ on $name', ({ skip, startQuick }) => {
  describe.skipIf(skip)('with two workers', () => {
    let server: Awaited<ReturnType<typeof startQuick>>;
    beforeAll(async () => {
      server = await startQuick();
    });
    afterAll(() => server.stop());

    it('are sent when the stream grows, also with failing receivers, in sequence and with the same ids', async () => {
      const paths = ['/a', '/b', '/c'];
      for (const path of paths) await stand.create(receiver.url + path);
      let count = 0;
      receiver.answering = () => ((count += 1) % 7 === 0 ? { status: 500 } : {});
      // With the sweep, like the worker: a job may be lost, a due delivery may not.
      const options = { sweepEveryMs: 1_000 };
      const [one] = [startWorker(server.backend, options), startWorker(server.backend, options)];
      const some = stand.orders(30);
      for (let entry = 0; entry < 3; entry += 1) {
        await stand.addEntries(...some);
        await one.scheduler.grown();
      }
      await delivered(270);
      for (const path of paths) expectInOrder(some, 3, path);
      const ids = new Map<string, Set<string>>();
      for (const { headers, body } of receiver.received) {
        const id = headers['webhook-id'] ?? '';
        ids.set(id, (ids.get(id) ?? new Set()).add(body));
      }
      expect(ids.size).toBe(90);
      expect([...ids.values()].every((bodies) => bodies.size === 1)).toBe(true);
    });

    it('whose job was never added or is lost get one from the sweep', async () => {
      await stand.create(`${receiver.url}/a`);
      await stand.addEntries(...stand.orders(20));
      startWorker(server.backend, { sweepEveryMs: 50 });
      await delivered(20);
    });

    it('in flight are finished and recorded by a worker that is stopped, and the rest is left to others', async () => {
      await stand.create(`${receiver.url}/a`);
      await stand.addEntries(...stand.orders(50));
      let answer = () => undefined as void;
      const held = new Promise<void>((resolve) => (answer = resolve));
      receiver.answering = async () => {
        await held;
        return {};
      };
      const { scheduler, stop } = startWorker(server.backend);
      await scheduler.grown();
      await until(() => receiver.received.length > 0);
      const stopping = stop();
      answer();
      await stopping;
      const { rows } = await stand.pool.query(
        'select state, count(*)::int as count from webhook_deliveries group by 1 order by 1',
      );
      expect(rows).toMatchObject([{ state: 'delivered', count: receiver.received.length }, { state: 'pending' }]);
      expect((await stand.pool.query('select from webhook_leases')).rowCount).toBe(0);
      startWorker(server.backend, { sweepEveryMs: 50 });
      await delivered(50);
      expect(receiver.received).toHaveLength(50);
    });

    it('in flight at a worker that was killed are made by another one once its lease expires', async () => {
      const webhook = await stand.create(`${receiver.url}/a`);
      await stand.addEntries(...stand.orders(5));
      await stand.worker({ leaseMs: 700 }).ledger.take(webhook.id);
      const from = clock.now();
      startWorker(server.backend, { sweepEveryMs: 50 });
      await delivered(5);
      expect(clock.now() - from).toBeGreaterThan(500);
    });

    it('of a removed webhook are deleted with their attempts, and those of others stay', async () => {
      const [gone, stays] = [await stand.create(`${receiver.url}/a`), await stand.create(`${receiver.url}/b`)];
      await stand.addEntries(...stand.orders(5));
      startWorker(server.backend, { sweepEveryMs: 50 });
      await delivered(10);
      await stand.webhooks.remove(gone.id);
      await until(async () => errors.length > 0 || (await stand.deliveriesOf(gone)).length === 0);
      expect(errors).toEqual([]);
      expect(await stand.deliveriesOf(stays)).toHaveLength(5);
      expect((await stand.pool.query('select from webhook_attempts where webhook_id = $1', [gone.id])).rowCount).toBe(
        0,
      );
    });

    it('are accepted throughout when their secret is rotated again and again under load', async () => {
      const webhook = await stand.create(`${receiver.url}/a`);
      // The receiver accepts a new secret as soon as it has it, and drops the old one a little later.
      let known = [webhook.secret];
      let refused = 0;
      receiver.answering = (received) => {
        if (known.some((secret) => isSignedWith(secret, received))) return {};
        refused += 1;
        return { status: 401 };
      };
      const { scheduler } = startWorker(server.backend);
      let entries = 0;
      for (let rotation = 0; rotation < 5; rotation += 1) {
        const rotated = await stand.webhooks.rotate(webhook.id, { overlap_seconds: 3_600 });
        if (!rotated || 'issues' in rotated) throw new Error('It was not rotated.');
        for (let burst = 0; burst < 5; burst += 1) {
          await stand.addEntries(...stand.orders(20));
          entries += 20;
          await scheduler.grown();
          if (burst === 1) known = [rotated.secret, ...known];
          // Everything signed before has arrived by now, so the new secret alone must do.
          if (burst === 3) await delivered(entries).then(() => (known = [rotated.secret]));
        }
      }
      await delivered(entries);
      expect(refused).toBe(0);
      expect(receiver.received).toHaveLength(entries);
    });
  });
});

describe.skipIf(!redisAvailable)('webhooks with Redis', () => {
  let redis: Awaited<ReturnType<typeof redisServer>>;
  beforeAll(async () => {
    redis = await redisServer();
  });
  afterAll(() => redis.stop());

  it('emptied again and again are made all the same', async () => {
    for (const path of ['/a', '/b', '/c', '/d']) await stand.create(receiver.url + path);
    const some = stand.orders(40);
    let count = 0;
    receiver.answering = () => ((count += 1) % 11 === 0 ? { status: 503 } : {});
    const { scheduler } = startWorker(redis.backend, { sweepEveryMs: 100 });
    startWorker(redis.backend, { sweepEveryMs: 100 });
    for (let entry = 0; entry < 3; entry += 1) {
      await stand.addEntries(...some);
      await scheduler.grown();
      await redis.flush();
    }
    await delivered(480);
    for (const path of ['/a', '/b', '/c', '/d']) expectInOrder(some, 3, path);
  });

  it('one bad receiver among fifty does not affect the others', async () => {
    const bad = await stand.create(`${receiver.url}/0`);
    for (let number = 1; number < 50; number += 1) await stand.create(`${receiver.url}/${number}`);
    receiver.answering = async ({ path }) => {
      if (path === '/0') await sleep(60_000, undefined, { ref: false });
      return {};
    };
    const { scheduler } = startWorker(redis.backend, { timeoutMs: 30_000, leaseMs: 60_000 });
    const some = stand.orders(6);
    const from = clock.now();
    for (let entry = 0; entry < 3; entry += 1) {
      await stand.addEntries(...some);
      await scheduler.grown();
    }
    await delivered(49 * 18);
    // Much sooner than one time-out of the bad receiver.
    expect(clock.now() - from).toBeLessThan(20_000);
    expect(receiver.received.filter(({ path }) => path === '/0').length).toBeLessThanOrEqual(3);
    for (let number = 1; number < 50; number += 1) expectInOrder(some, 3, `/${number}`);
    expect((await stand.webhooks.find(bad.id))?.pending).toBeGreaterThanOrEqual(6);
    receiver.cut();
  });
});
