import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '#ambient/clock';
import { SystemRandomness } from '#ambient/randomness';
import { createPool } from '#database/pool';
import { JobQueue } from '#queues/job-queue';
import type { QueueBackend } from '#queues/queue-backend';
import { Repeater } from '#queues/repeater';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { addOrder, orderNo, pingName } from '../../../test/support/ping-rows.js';
import { PlatformDouble, takesDelivery } from '../../../test/support/platform-double.js';
import { queueServers, redisServer } from '../../../test/support/queue-backends.js';
import { redisAvailable } from '../../../test/support/redis.js';
import { until } from '../../../test/support/until.js';
import { PingDelivery } from './ping-delivery.js';
import { PingDoorbell, type PingJob } from './ping-doorbell.js';
import { PingLedger } from './ping-ledger.js';
import { PingSender } from './ping-sender.js';
import { PingSigner } from './ping-signer.js';
import { PingSweep } from './ping-sweep.js';
import { PingProcessor } from './ping.processor.js';

const RETRY = { firstMs: 100, maxMs: 500, forMs: 60_000 };
const NEVER_MS = 1_000_000;

class AnySigner extends PingSigner {
  async authorization(): Promise<string> {
    return 'XX cli_1:signature';
  }
}

const clock = new SystemClock();
const chance = new SystemRandomness();
const faults: string[] = [];
const report = (fault: unknown) => void faults.push((fault as Error).message);

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let platform: PlatformDouble;
let stops: (() => Promise<unknown>)[];
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 8, lazyCommit: true, byIndex: true });
  owner = createPool({ ...options, max: 1, asOwner: true });
  platform = await PlatformDouble.start();
});
afterAll(async () => {
  await platform.stop();
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});
beforeEach(async () => {
  await owner.query('truncate pings, ping_attempts, ping_leases');
  platform.received.length = 0;
  platform.answering = takesDelivery;
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

/** What apps/worker puts together, without the feed. */
function startWorker(backend: QueueBackend, { sweepEveryMs = NEVER_MS, leaseMs = 5_000, concurrency = 20 } = {}) {
  const settings = { url: platform.url, scheme: 'XX', timeoutMs: 15_000, connections: concurrency };
  const sender = new PingSender(settings, new AnySigner(), clock);
  const queue = new JobQueue<PingJob>('pings', backend, report);
  const doorbell = new PingDoorbell(queue, clock);
  const delivery = new PingDelivery(new PingLedger(pool, clock, chance, leaseMs), sender, clock, chance, RETRY);
  const processor = new PingProcessor(backend, delivery, doorbell, { concurrency, report });
  const pingSweep = new PingSweep(pool, queue, doorbell, clock);
  const sweep = new Repeater(() => pingSweep.sweep(), sweepEveryMs, report);
  processor.start();
  sweep.start();
  let stopped: Promise<unknown> | undefined;
  const stop = () =>
    (stopped ??= Promise.all([sweep.stop(), processor.stop(10_000)]).then(() =>
      Promise.all([queue.close(), sender.close()]),
    ));
  stops.push(stop);
  return { doorbell, queue, stop };
}

const orders = (count: number) => Array.from({ length: count }, (_, index) => orderNo(index + 1));

async function addDue(orderIds: readonly string[], pings: number): Promise<{ orderId: string; at: number }[]> {
  const at = clock.now() - pings;
  await Promise.all(orderIds.map((orderId) => addOrder(pool, orderId, pings, at)));
  return orderIds.map((orderId) => ({ orderId, at }));
}

async function pendingPings(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int from pings where state <> 'delivered'`);
  return rows[0]?.count ?? 0;
}
const allDelivered = () => until(async () => (await pendingPings()) === 0, { withinMs: 30_000 });

/** At least once each and first to last: repetitions follow at once, nothing comes after a later one, none side by side. */
function expectInOrder(orderIds: readonly string[], pings: number): void {
  for (const orderId of orderIds) {
    const received = platform.transactionsOf(orderId);
    const firsts = received.filter((name, index) => received.indexOf(name) === index);
    expect(firsts).toEqual(Array.from({ length: pings }, (_, index) => pingName(orderId, index + 1)));
    expect(received).toEqual(received.toSorted());
  }
  expect(platform.received.filter(({ besides }) => besides > 0)).toEqual([]);
}

describe.each(queueServers)('pings by BullMQ on $name', ({ skip, startQuick }) => {
  describe.skipIf(skip)('with workers that only ring', () => {
    let server: Awaited<ReturnType<typeof startQuick>>;
    beforeAll(async () => {
      server = await startQuick();
    });
    afterAll(() => server.stop());

    it('are delivered first to last within an order, and side by side across orders', async () => {
      const orderIds = orders(10);
      const rings = await addDue(orderIds, 3);
      let now = 0;
      let most = 0;
      // Nobody is answered before five orders are at it at the same time.
      platform.answering = async (...ping) => {
        most = Math.max(most, ++now);
        await until(() => most >= 5);
        now -= 1;
        return takesDelivery(...ping);
      };
      const { doorbell } = startWorker(server.backend);
      await doorbell.ring(rings);
      await allDelivered();
      expectInOrder(orderIds, 3);
      expect(platform.received).toHaveLength(30);
    });

    it('are tried again by a delayed job, without any sweep', async () => {
      const rings = await addDue(orders(3), 2);
      platform.answering = (ping, nth, response) => (nth <= 2 ? { status: 500 } : takesDelivery(ping, nth, response));
      const from = clock.now();
      await startWorker(server.backend).doorbell.ring(rings);
      await allDelivered();
      expect(clock.now() - from).toBeGreaterThanOrEqual(3 * RETRY.firstMs);
      expectInOrder(orders(3), 2);
    });

    it('go to either of two workers, each ping once', async () => {
      const rings = await addDue(orders(60), 2);
      const { doorbell } = startWorker(server.backend);
      startWorker(server.backend);
      // Rung for twice, and the second time under another name.
      await doorbell.ring([...rings, ...rings.map(({ orderId, at }) => ({ orderId, at: at + 1 }))]);
      await allDelivered();
      expectInOrder(orders(60), 2);
      expect(platform.received).toHaveLength(120);
    });

    it('whose job was never added or is lost are rung by the sweep', async () => {
      await addDue(orders(30), 2);
      startWorker(server.backend, { sweepEveryMs: 50 });
      await allDelivered();
      expectInOrder(orders(30), 2);
    });

    it('in hand are finished and recorded by a worker that is stopped', async () => {
      const rings = await addDue(orders(5), 1);
      let answer = () => undefined as void;
      const held = new Promise<void>((resolve) => (answer = resolve));
      platform.answering = async (...ping) => {
        await held;
        return takesDelivery(...ping);
      };
      const { doorbell, stop } = startWorker(server.backend);
      await doorbell.ring(rings);
      await until(() => platform.received.length === 5);
      const stopping = stop();
      answer();
      await stopping;
      expect(await pendingPings()).toBe(0);
      expect((await pool.query('select from ping_leases')).rowCount).toBe(0);
    });

    it('of a worker that was killed with them in hand are delivered by another, once its leases are over', async () => {
      await addDue(orders(5), 2);
      const dead = new PingLedger(pool, clock, chance, 700);
      await Promise.all(orders(5).map((orderId) => dead.take(orderId)));
      const from = clock.now();
      startWorker(server.backend, { sweepEveryMs: 50 });
      await allDelivered();
      expect(clock.now() - from).toBeGreaterThan(500);
      expectInOrder(orders(5), 2);
    });
  });
});

describe.skipIf(!redisAvailable)('pings while Redis', () => {
  let redis: Awaited<ReturnType<typeof redisServer>>;
  beforeAll(async () => {
    redis = await redisServer();
  });
  afterAll(() => redis.stop());

  async function halfwayThrough(disaster: () => Promise<void>): Promise<void> {
    const rings = await addDue(orders(300), 2);
    platform.answering = (...ping) => (chance.fraction() < 0.1 ? { status: 503 } : takesDelivery(...ping));
    const { doorbell } = startWorker(redis.backend, { sweepEveryMs: 100, concurrency: 5 });
    startWorker(redis.backend, { sweepEveryMs: 100, concurrency: 5 });
    await until(() => doorbell.ring(rings).then(() => true));
    await until(() => platform.received.length > 100);
    await disaster();
    const left = await pendingPings();
    expect(left).toBeGreaterThan(0);
    await allDelivered();
    expectInOrder(orders(300), 2);
  }

  it('is emptied are delivered all the same', async () => {
    await halfwayThrough(() => redis.flush());
  });

  it('is emptied again and again, too', async () => {
    await halfwayThrough(async () => {
      for (let time = 0; time < 5; time += 1) {
        const before = platform.received.length;
        await redis.flush();
        await until(() => platform.received.length > before + 20);
      }
    });
  });

  it('is killed and comes back are delivered once it is there', async () => {
    await halfwayThrough(async () => {
      await redis.kill();
      await redis.restart();
    });
  });
});
