import { redisAvailable, startRedis } from '../../test/support/redis.js';
import { until } from '../../test/support/until.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { readMetric } from '../setup/metrics.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import type { Service } from '../setup/service.js';
import { inMs, quantile } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

// A purchase has two events.
const PURCHASES_A_SECOND = 200;
const WARM_UP_SECONDS = 3;

/**
 * From an event's `recorded_at` to the commit that added it to the feed. This is PostgreSQL's own commit time, which is taken just
 * before the flush.
 */
export const feedLag: Measurement = {
  name: 'feed-lag',
  about: 'from the append to the feed, while another transaction stays open',
  async run(options) {
    const marketplace = await createMarketplace({ track_commit_timestamp: 'on' });
    const receiver = await PingReceiver.start();
    const redis = redisAvailable ? await startRedis() : undefined;
    const queues = redis ? { REDIS_URL: redis.url } : {};
    const api = await marketplace.startApi();
    const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url, ...queues } });
    const buyer = new PacedBuyer(marketplace, api);
    try {
      return await measure({ marketplace, worker, buyer }, options);
    } finally {
      await buyer.stop();
      await worker.stop();
      await api.stop();
      await redis?.stop();
      await receiver.stop();
      await marketplace.database.remove();
    }
  },
};

type Stage = Readonly<{ marketplace: Marketplace; worker: Service; buyer: PacedBuyer }>;

async function measure(stage: Stage, { quick, say }: RunOptions): Promise<Figure[]> {
  await lags(stage, WARM_UP_SECONDS);
  const alone = await lags(stage, quick ? 2 : 10);
  say(`no other transaction: ${inMs(alone.ms)}`);
  const writer = await stage.marketplace.database.owner.connect();
  await writer.query('begin');
  await writer.query("insert into outbox (stream, stream_position, recorded_at) values ('order-open', 1, now())");
  const open = await lags(stage, quick ? 2 : 10);
  say(`another one open: ${inMs(open.ms)}`);
  await writer.query('rollback');
  writer.release();
  const detail =
    `goal 50 ms at p99; of ${open.ms.length} events ${inMs(open.ms)}; the worker saw ${open.soon} of them within 50 ms; ` +
    `without the open transaction ${inMs(alone.ms)}, ${alone.soon} within 50 ms`;
  return [0.5, 0.99].map((part) => ({
    name: `feed lag beside an open transaction, p${part * 100}`,
    value: quantile(open.ms, part),
    unit: 'ms',
    detail,
  }));
}

/** Lags of the events of so many seconds. `soon` comes from the worker's histogram, which stops its clock after the commit. */
async function lags({ marketplace, worker, buyer }: Stage, seconds: number) {
  const { owner } = marketplace.database;
  const before = await histogram(worker);
  const from = new Date();
  const count = PURCHASES_A_SECOND * seconds;
  await buyer.buy({ count, perSecond: PURCHASES_A_SECOND });
  const rows = await until(
    async () => {
      const placed = await owner.query<{ ms: number }>(LAGS, [from]);
      return placed.rows.length === 2 * count && placed.rows;
    },
    { everyMs: 200, withinMs: 30_000 },
  );
  const after = await histogram(worker);
  const share = (after.soon - before.soon) / (after.all - before.all);
  return { ms: rows.map(({ ms }) => ms), soon: `${(share * 100).toFixed(2)} %` };
}

const LAGS = `
  select extract(epoch from pg_xact_commit_timestamp(feed.xmin) - recorded_at)::float8 * 1000 as ms
  from feed join events on events.stream = feed.stream and events.position = feed.stream_position
  where recorded_at >= $1`;

async function histogram(worker: Service): Promise<{ soon: number; all: number }> {
  return {
    soon: await readMetric(worker, 'willcall_feed_lag_seconds_bucket{le="0.05"}'),
    all: await readMetric(worker, 'willcall_feed_lag_seconds_count'),
  };
}
