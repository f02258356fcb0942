import type { QueueRequest, QueueResult } from '../bare/queue.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { readMetric } from '../setup/metrics.js';
import { onRedis } from '../setup/on-redis.js';
import { buyOne, drainPings } from '../setup/ping-drain.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import type { Service } from '../setup/service.js';
import { SideProcess } from '../setup/side-process.js';
import { comparisonText, interleaved } from '../interleaved.js';
import { median } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

/** The worker with a backlog of pings, against BullMQ alone with empty jobs, on the same Redis. */
export const pings: Measurement = {
  name: 'pings',
  about: "drain of a backlog of pings on Redis against BullMQ's own rate with empty jobs",
  run: onRedis(async (options, redisUrl) => [await measure(options, redisUrl)]),
};

async function measure(options: RunOptions, redisUrl: string): Promise<Figure> {
  const marketplace = await createMarketplace();
  const receiver = await PingReceiver.start();
  const limit = new SideProcess<QueueRequest, QueueResult>('bare/queue.js');
  await buyOne(marketplace);
  const worker = await marketplace.startWorker({ environment: { REDIS_URL: redisUrl, PLATFORM_URL: receiver.url } });
  try {
    await receiver.pinged(1);
    const count = options.quick ? 4_000 : 20_000;
    return await compare(
      count,
      () => limit.run({ redisUrl, jobs: count }),
      () => drain({ marketplace, receiver, worker }, count),
      options,
    );
  } finally {
    await worker.stop();
    await limit.stop();
    await receiver.stop();
    await marketplace.database.remove();
  }
}

type Drained = QueueResult & Readonly<{ repeated: number }>;

/** CPU is that of one process each, so a busy machine does not change it. */
async function compare(
  count: number,
  runLimit: () => Promise<QueueResult>,
  runOurs: () => Promise<Drained>,
  { quick, say }: RunOptions,
): Promise<Figure> {
  const limits: QueueResult[] = [];
  const drains: Drained[] = [];
  const comparison = await interleaved(
    quick ? 2 : 3,
    async () => {
      limits.push(await runLimit());
      return limits.at(-1)?.perSecond ?? Number.NaN;
    },
    async () => {
      const drained = await runOurs();
      drains.push(drained);
      say(`${Math.round(drained.perSecond)} a second`);
      return drained.perSecond;
    },
  );
  const cpu = (results: readonly QueueResult[]) => Math.round(median(results.map(({ cpuMicros }) => cpuMicros)));
  const repeated = drains.reduce((sum, drained) => sum + drained.repeated, 0);
  return {
    name: `pings on Redis, drain of ${count.toLocaleString('en-US')}`,
    value: comparison.ratio,
    unit: 'of the limit',
    target: { atLeast: 0.25 },
    detail:
      `${comparisonText(comparison)}; worker ${cpu(drains)} µs of processor a ping, BullMQ alone ${cpu(limits)} µs a job; ` +
      `${repeated} sent twice; the receiver runs beside it`,
  };
}

type Stage = Readonly<{ marketplace: Marketplace; receiver: PingReceiver; worker: Service }>;

async function drain({ marketplace, receiver, worker }: Stage, count: number): Promise<Drained> {
  const cpu = await readMetric(worker, 'process_cpu_seconds_total');
  const { seconds, repeated } = await drainPings(marketplace.database.owner, receiver, count);
  const used = (await readMetric(worker, 'process_cpu_seconds_total')) - cpu;
  return { perSecond: count / seconds, cpuMicros: (used * 1e6) / count, repeated };
}
