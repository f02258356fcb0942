import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { onRedis } from '../setup/on-redis.js';
import { buyOne, drainPings } from '../setup/ping-drain.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import { comparisonText, interleaved } from '../interleaved.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const ANSWERS_AFTER_MS = 100;
const CONCURRENCY = 5;

/** What a second worker adds where the platform is slow, so that workers wait and do not compute. */
export const workers: Measurement = {
  name: 'workers',
  about: `pings of two workers against one; PING_CONCURRENCY ${CONCURRENCY}, a platform that answers after ${ANSWERS_AFTER_MS} ms`,
  run: onRedis(async (options, redisUrl) => [await measure(options, redisUrl)]),
};

async function measure({ quick, say }: RunOptions, redisUrl: string): Promise<Figure> {
  const marketplace = await createMarketplace();
  const receiver = await PingReceiver.start({ answersAfterMs: ANSWERS_AFTER_MS });
  await buyOne(marketplace);
  const start = () =>
    marketplace.startWorker({
      environment: { REDIS_URL: redisUrl, PLATFORM_URL: receiver.url, PING_CONCURRENCY: `${CONCURRENCY}` },
    });
  const worker = await start();
  try {
    await receiver.pinged(1);
    const count = quick ? 100 : 500;
    const comparison = await interleaved(
      quick ? 1 : 3,
      () => rateOf(marketplace, receiver, count),
      async () => {
        const second = await start();
        const rate = await rateOf(marketplace, receiver, count).finally(() => second.stop());
        say(`two workers: ${rate.toFixed(1)} a second`);
        return rate;
      },
    );
    return {
      name: `pings of two workers, ${CONCURRENCY} at a time, to those of one`,
      value: comparison.ratio,
      unit: 'times',
      target: { atLeast: 1.7 },
      detail: comparisonText(comparison),
    };
  } finally {
    await worker.stop();
    await receiver.stop();
    await marketplace.database.remove();
  }
}

/** Pings a second, without the first and the last tenth: while the orders reach the queue, and while it runs empty, workers are idle. */
async function rateOf({ database }: Marketplace, receiver: PingReceiver, count: number): Promise<number> {
  const { arrivals } = await drainPings(database.owner, receiver, count);
  const middle = arrivals.slice(count / 10, (count * 9) / 10);
  const [first = 0, last = 0] = [middle[0], middle.at(-1)];
  return ((middle.length - 1) * 1_000) / (last - first);
}
