import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { JobQueue } from '#delivery-kit/job-queue';
import { type QueueBackend, queueBackend } from '#delivery-kit/queue-backend';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { addOrder, orderNo, pingName } from '../../../../test/support/pings/ping-rows.js';
import { PING_RETRY, startPingWorker } from '../../../../test/support/pings/ping-worker.js';
import { PlatformDouble, acknowledgePing } from '../../../../test/support/pings/platform-double.js';
import { queueServers, redisServer } from '../../../../test/support/queue-backends.js';
import { redisAvailable, startRedis } from '../../../../test/support/redis.js';
import { startRedisCluster, startSentinelGroup } from '../../../../test/support/redis-groups.js';
import { until } from '../../../../test/support/until.js';
import { PingLedger } from './ping-ledger.js';

const clock = new SystemClock();
const random = new SystemRandomness();
const errors: string[] = [];
const report = (error: unknown) => void errors.push((error as Error).message);

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
  await owner.query('truncate pings, ping_attempts, ping_leases, operational_notices');
  await owner.query(
    `update ping_endpoints set breaker = 'closed', openings = 0, open_until = null, paced_until_ms = 0`,
  );
  platform.received.length = 0;
  platform.answering = acknowledgePing;
  stops = [];
});
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
});

function startWorker(backend: QueueBackend, options: Parameters<typeof startPingWorker>[1] = {}) {
  const worker = startPingWorker({ pool, url: platform.url, backend, onError: report }, options);
  stops.push(worker.stop);
  return worker;
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
async function openings(): Promise<number> {
  const { rows } = await pool.query<{ openings: number }>('select openings from ping_endpoints');
  return rows[0]?.openings ?? 0;
}
const allDelivered = () => until(async () => (await pendingPings()) === 0, { withinMs: 30_000 });

/** At least once each and in sequence: a repeat follows at once, nothing comes after a later ping, and none overlap. */
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
  describe.skipIf(skip)('with workers that only schedule', () => {
    let server: Awaited<ReturnType<typeof startQuick>>;
    beforeAll(async () => {
      server = await startQuick();
    });
    afterAll(() => server.stop());

    it('get a job under another id while a lost job blocks the first one', async () => {
      // As if the queue's answer was lost with its connection: the job is active, and nobody works on it.
      let release = () => undefined as void;
      const held = new Promise<void>((resolve) => (release = resolve));
      const holder = server.backend.openWorker('pings', () => held, 1);
      holder.bull.on('error', report);
      void holder.bull.run().catch(report);
      const queue = new JobQueue('pings', server.backend, report);
      const [due] = await addDue([orderNo(1)], 1);
      await queue.add([{ id: `${due?.orderId}-${due?.at}`, data: { orderId: due?.orderId } }]);
      await until(async () => (await queue.depth()).active === 1);
      stops.push(async () => {
        release();
        await Promise.all([queue.close(), holder.bull.close()]);
        holder.disconnect();
      });
      startWorker(server.backend, { sweepEveryMs: 100 });
      await until(async () => (await pendingPings()) === 0, { withinMs: 9_000 });
      expectInOrder([orderNo(1)], 1);
    });

    it('are delivered in sequence within an order, and in parallel across orders', async () => {
      const orderIds = orders(10);
      const wakeups = await addDue(orderIds, 3);
      let now = 0;
      let most = 0;
      // The platform answers only when five orders are being delivered at the same time.
      platform.answering = async (...ping) => {
        most = Math.max(most, ++now);
        await until(() => most >= 5);
        now -= 1;
        return acknowledgePing(...ping);
      };
      const { scheduler } = startWorker(server.backend);
      await scheduler.schedule(wakeups);
      await allDelivered();
      expectInOrder(orderIds, 3);
      expect(platform.received).toHaveLength(30);
    });

    it('are retried by a delayed job, without any sweep', async () => {
      const wakeups = await addDue(orders(3), 2);
      platform.answering = (ping, nth, response) => (nth <= 2 ? { status: 500 } : acknowledgePing(ping, nth, response));
      const from = clock.now();
      await startWorker(server.backend).scheduler.schedule(wakeups);
      await allDelivered();
      expect(clock.now() - from).toBeGreaterThanOrEqual(3 * PING_RETRY.firstMs);
      expectInOrder(orders(3), 2);
    });

    it('are shared by two workers, each ping once', async () => {
      const wakeups = await addDue(orders(60), 2);
      const { scheduler } = startWorker(server.backend);
      startWorker(server.backend);
      // Scheduled twice, the second time under another id.
      await scheduler.schedule([...wakeups, ...wakeups.map(({ orderId, at }) => ({ orderId, at: at + 1 }))]);
      await allDelivered();
      expectInOrder(orders(60), 2);
      expect(platform.received).toHaveLength(120);
    });

    it('whose job was never added or is lost get one from the sweep', async () => {
      await addDue(orders(30), 2);
      startWorker(server.backend, { sweepEveryMs: 50 });
      await allDelivered();
      expectInOrder(orders(30), 2);
    });

    it('in flight are finished and recorded by a worker that is stopped', async () => {
      const wakeups = await addDue(orders(5), 1);
      let answer = () => undefined as void;
      const held = new Promise<void>((resolve) => (answer = resolve));
      platform.answering = async (...ping) => {
        await held;
        return acknowledgePing(...ping);
      };
      const { scheduler, stop } = startWorker(server.backend);
      await scheduler.schedule(wakeups);
      await until(() => platform.received.length === 5);
      const stopping = stop();
      answer();
      await stopping;
      expect(await pendingPings()).toBe(0);
      expect((await pool.query('select from ping_leases')).rowCount).toBe(0);
    });

    it('of many orders cause few requests while the platform is down, and all arrive when it is back', async () => {
      const count = 120;
      const wakeups = await addDue(orders(count), 2);
      platform.answering = () => ({ status: 503 });
      const { scheduler } = startWorker(server.backend, { sweepEveryMs: 50, concurrency: 5 });
      startWorker(server.backend, { sweepEveryMs: 50, concurrency: 5 });
      await scheduler.schedule(wakeups);
      await until(async () => (await openings()) >= 3);
      // Ten of each worker and those in flight, and then one at a time.
      expect(platform.received.length).toBeLessThan(50);
      const { rows } = await pool.query<{ touched: number }>(
        'select count(*)::int as touched from pings where tries > 0 or attempts > 0',
      );
      expect(rows[0]?.touched).toBeLessThanOrEqual(platform.received.length);
      platform.answering = acknowledgePing;
      await allDelivered();
      expectInOrder(orders(count), 2);
      expect(platform.received.length).toBeLessThan(2 * count + 50);
      const notices = await pool.query('select kind, subject from operational_notices order by id');
      expect(notices.rows.slice(0, 2)).toEqual(
        ['opened', 'closed'].map((end) => ({ kind: `platform.breaker_${end}`, subject: 'platform' })),
      );
    });

    it('are not held back because those of one order fail', async () => {
      const [bad, ...fine] = orders(40);
      const wakeups = await addDue([bad ?? '', ...fine], 1);
      platform.answering = (ping, ...rest) => (ping.orderId === bad ? { status: 500 } : acknowledgePing(ping, ...rest));
      const { scheduler, circuitBreaker } = startWorker(server.backend, { failuresToOpen: 2 });
      await scheduler.schedule(wakeups);
      await until(async () => (await pendingPings()) === 1);
      await until(() => platform.transactionsOf(bad ?? '').length >= 3);
      expect(circuitBreaker.isClosed).toBe(true);
      expect(platform.received.length).toBe(39 + platform.transactionsOf(bad ?? '').length);
    });

    it('keep to the rate of all workers together, in sequence within their orders', async () => {
      const wakeups = await addDue(orders(20), 2);
      const times: number[] = [];
      platform.answering = (...ping) => {
        times.push(performance.now());
        return acknowledgePing(...ping);
      };
      const { scheduler } = startWorker(server.backend, { perSecond: 50 });
      startWorker(server.backend, { perSecond: 50 });
      await scheduler.schedule(wakeups);
      await allDelivered();
      expectInOrder(orders(20), 2);
      expect(platform.received).toHaveLength(40);
      // 40 slots of 20 ms, of which a tenth of a second's worth is sent at once.
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(600);
    });

    it('stop waiting for their slot when their worker stops', async () => {
      const wakeups = await addDue(orders(20), 1);
      const { scheduler, stop } = startWorker(server.backend, { perSecond: 1 });
      await scheduler.schedule(wakeups);
      await until(() => platform.received.length > 0);
      await stop();
      expect(platform.received.length).toBeLessThan(5);
      expect((await pool.query('select from ping_leases')).rowCount).toBe(0);
    });

    it('in flight at a worker that was killed are delivered by another one once its leases expire', async () => {
      await addDue(orders(5), 2);
      const dead = new PingLedger(pool, clock, random, { leaseMs: 700 });
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

  /**
   * Delivers 240 pings, and makes `disaster` happen when every 40th arrives, up to `times` times. The platform counts arrivals, because a
   * fast machine delivers the rest between two polls of a test.
   */
  async function deliverThrough(
    disaster: () => Promise<void>,
    { times = 1, backend = redis.backend } = {},
  ): Promise<void> {
    const disasters: Promise<void>[] = [];
    platform.answering = (...ping) => {
      if (disasters.length < times && platform.received.length >= 40 * (disasters.length + 1))
        disasters.push(disaster());
      return random.fraction() < 0.1 ? { status: 503 } : acknowledgePing(...ping);
    };
    const wakeups = await addDue(orders(120), 2);
    const { scheduler } = startWorker(backend, { sweepEveryMs: 100, concurrency: 5 });
    startWorker(backend, { sweepEveryMs: 100, concurrency: 5 });
    await until(() => scheduler.schedule(wakeups).then(() => true));
    await until(() => disasters.length === times);
    await Promise.all(disasters);
    await allDelivered();
    expectInOrder(orders(120), 2);
  }

  it('is emptied are delivered all the same', async () => {
    await deliverThrough(() => redis.flush());
  });

  it('is emptied again and again are delivered too', async () => {
    await deliverThrough(() => redis.flush(), { times: 5 });
  });

  it('is killed and restarted are delivered once it is back', async () => {
    await deliverThrough(async () => {
      await redis.kill();
      await redis.restart();
    });
  });

  it.each([
    ['fails over to the replica that Sentinels choose', startSentinelGroup],
    ['loses the node of a cluster that has their queue', startRedisCluster],
  ])('%s are delivered by its heir', async (_loss, start) => {
    const group = await start();
    stops.push(group.stop);
    const backend = queueBackend({ redisUrl: group.url, databaseUrl: 'postgres://unused.invalid/unused' });
    await deliverThrough(group.failOver, { backend });
  });

  it('has their jobs only where the last release looks are queued anew', async () => {
    const former = await startRedis();
    stops.push(() => former.stop());
    const client = new Redis(former.url);
    const old = new Queue('pings', { connection: client, prefix: 'willcall' });
    const due = await addDue(orders(20), 2);
    await old.addBulk(
      due.map(({ orderId }) => ({ name: 'pings', data: { orderId }, opts: { jobId: `${orderId}-1` } })),
    );
    startWorker(queueBackend({ redisUrl: former.url, databaseUrl: 'postgres://unused.invalid/unused' }), {
      sweepEveryMs: 50,
    });
    await allDelivered();
    expectInOrder(orders(20), 2);
    expect(platform.received).toHaveLength(40);
    expect(await old.getWaitingCount()).toBe(20);
    await old.close();
    client.disconnect();
  });
});

describe.skipIf(!redisAvailable)('pings of two releases that look in different queues', () => {
  it('are delivered once each, and in sequence', async () => {
    // Another Redis is what another prefix is: neither release sees the jobs of the other.
    const releases = await Promise.all([redisServer(), redisServer()]);
    stops.push(() => Promise.all(releases.map((release) => release.stop())));
    const wakeups = await addDue(orders(60), 3);
    const workers = releases.map(({ backend }) => startWorker(backend, { sweepEveryMs: 20, concurrency: 5 }));
    await Promise.all(workers.map(({ scheduler }) => scheduler.schedule(wakeups)));
    await allDelivered();
    expectInOrder(orders(60), 3);
    expect(platform.received).toHaveLength(180);
  });
});
