import { until } from '../../test/support/until.js';
import { redisAvailable, startRedis } from '../../test/support/redis.js';
import type { QueueOrder } from '../bare/queue.js';
import { machineMs } from '../ground/machine-clock.js';
import { createMarketplace, type Marketplace } from '../ground/marketplace.js';
import { PacedBuyer } from '../ground/paced-buyer.js';
import { addPingBacklog } from '../ground/ping-backlog.js';
import { PingReceiver } from '../ground/ping-receiver.js';
import { SideProcess } from '../ground/side-process.js';
import { inWords, interleaved } from '../interleaved.js';
import type { Effort, Figure, Measurement } from '../measurement.js';

/** The worker, with a backlog of pings of one order each, against BullMQ alone with empty jobs, on the same Redis. */
export const pings: Measurement = {
  name: 'pings',
  about: "drain of a backlog of pings on Redis against BullMQ's own rate with empty jobs",
  async run(effort) {
    if (redisAvailable) return [await measure(effort)];
    effort.say('left out: there is no redis-server on the PATH');
    return [];
  },
};

async function measure(effort: Effort): Promise<Figure> {
  const marketplace = await createMarketplace();
  const redis = await startRedis();
  const receiver = await PingReceiver.start();
  const limit = new SideProcess<QueueOrder, number>('bare/queue.js');
  await buyOne(marketplace);
  const worker = await marketplace.startWorker({ environment: { REDIS_URL: redis.url, PLATFORM_URL: receiver.url } });
  try {
    await receiver.pinged(1);
    return await compare(marketplace, receiver, () => limit.run({ redisUrl: redis.url, jobs: orders(effort) }), effort);
  } finally {
    await worker.stop();
    await limit.stop();
    await receiver.stop();
    await redis.stop();
    await marketplace.database.remove();
  }
}

const orders = ({ quick }: Effort) => (quick ? 4_000 : 20_000);

async function compare(
  marketplace: Marketplace,
  receiver: PingReceiver,
  limit: () => Promise<number>,
  effort: Effort,
): Promise<Figure> {
  let repeated = 0;
  const comparison = await interleaved(effort.quick ? 2 : 5, limit, async () => {
    const drained = await drain(marketplace, receiver, orders(effort));
    repeated += drained.repeated;
    effort.say(`${Math.round(drained.aSecond)} a second`);
    return drained.aSecond;
  });
  return {
    name: `pings on Redis, drain of ${orders(effort).toLocaleString('en-US')}`,
    value: comparison.ratio,
    unit: 'of the limit',
    target: { atLeast: 0.25 },
    detail: `${inWords(comparison)}; ${repeated} sent twice; the receiver answers at once on the same cores`,
  };
}

/** From the commit of the backlog, with the worker up and idle, until the last ping is recorded as delivered. */
async function drain({ database }: Marketplace, receiver: PingReceiver, count: number) {
  await receiver.forget();
  await addPingBacklog(database.owner, count);
  const began = machineMs();
  const seen = await receiver.pinged(count);
  await until(async () => (await pending(database.owner)) === 0, { withinMs: 60_000 });
  return { aSecond: (count * 1_000) / (machineMs() - began), repeated: seen.pings - count };
}

async function pending(owner: Marketplace['database']['owner']): Promise<number | undefined> {
  const { rows } = await owner.query<{ pending: number }>(
    "select count(*)::int as pending from pings where state = 'pending'",
  );
  return rows[0]?.pending;
}

async function buyOne(marketplace: Marketplace): Promise<void> {
  const api = await marketplace.startApi();
  const buyer = new PacedBuyer(marketplace, api);
  await buyer.buy({ count: 1, aSecond: 1 });
  await buyer.stop();
  await api.stop();
}
