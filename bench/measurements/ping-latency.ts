import { redisAvailable, startRedis } from '../../test/support/redis.js';
import { createMarketplace } from '../setup/marketplace.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import { inMs, quantile } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const A_SECOND = 200;
const WARM_UP_SECONDS = 3;

/**
 * The time until the ping of a purchase arrives. The commit is between the sending of the purchase and its 201, and both are
 * measured: the time from the 201 is a little too short, the time from the sending too long.
 */
export const pingLatency: Measurement = {
  name: 'ping-latency',
  about: `from the 201 to the ping, at ${A_SECOND} purchases a second`,
  async run(options) {
    const onPostgres = await measure(options, undefined);
    if (!redisAvailable) {
      options.say('left out on Redis: there is no redis-server on the PATH');
      return onPostgres;
    }
    const redis = await startRedis();
    try {
      return [...(await measure(options, redis.url)), ...onPostgres];
    } finally {
      await redis.stop();
    }
  },
};

async function measure({ quick, say }: RunOptions, redisUrl: string | undefined): Promise<Figure[]> {
  const marketplace = await createMarketplace();
  const receiver = await PingReceiver.start();
  const queues = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  const api = await marketplace.startApi();
  const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url, ...queues } });
  const buyer = new PacedBuyer(marketplace, api);
  try {
    const warmUp = A_SECOND * WARM_UP_SECONDS;
    await buyer.buy({ count: warmUp, perSecond: A_SECOND });
    await receiver.pinged(warmUp);
    await receiver.forget();
    const count = A_SECOND * (quick ? 4 : 20);
    const bought = await buyer.buy({ count, perSecond: A_SECOND });
    const { arrivals } = await receiver.pinged(count);
    const since = (from: 'sentAt' | 'answeredAt') =>
      bought.map((purchase) => (arrivals[purchase.orderId] ?? Number.NaN) - purchase[from]);
    const where = redisUrl === undefined ? 'on Postgres' : 'on Redis';
    say(`${where}: ${inMs(since('answeredAt'))}`);
    return [0.5, 0.99].map((part) => ({
      name: `201 to ping ${where}, p${part * 100}`,
      value: quantile(since('answeredAt'), part),
      unit: 'ms',
      detail: `goal 100 ms at p99; of ${count} ${inMs(since('answeredAt'))}; from the sending ${inMs(since('sentAt'))}`,
    }));
  } finally {
    await buyer.stop();
    await worker.stop();
    await api.stop();
    await receiver.stop();
    await marketplace.database.remove();
  }
}
