import { until } from '../../test/support/until.js';
import { machineMs } from '../setup/machine-clock.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { readMetric } from '../setup/metrics.js';
import { onRedis } from '../setup/on-redis.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { addPingBacklog } from '../setup/ping-backlog.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import type { Service } from '../setup/service.js';
import { pendingWebhooks, subscribe, WEBHOOK_ENVIRONMENT, WebhookReceivers } from '../setup/webhook-receivers.js';
import { comparisonText, interleaved } from '../interleaved.js';
import { median } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const ENDPOINTS = 50;

/** A worker with a backlog of webhooks, a thousand for each of fifty receivers, against the same worker with a backlog of pings. */
export const webhooks: Measurement = {
  name: 'webhooks',
  about: `drain of a backlog of webhooks to ${ENDPOINTS} receivers against that of pings, on Redis`,
  run: onRedis(async (options, redisUrl) => [await measure(options, redisUrl)]),
};

type Stage = Readonly<{
  marketplace: Marketplace;
  worker: Service;
  platform: PingReceiver;
  receivers: WebhookReceivers;
}>;

async function measure(options: RunOptions, redisUrl: string): Promise<Figure> {
  const marketplace = await createMarketplace();
  const [platform, receivers] = await Promise.all([PingReceiver.start(), WebhookReceivers.start()]);
  await prepare(marketplace, receivers);
  const environment = { ...WEBHOOK_ENVIRONMENT, REDIS_URL: redisUrl, PLATFORM_URL: platform.url };
  const worker = await marketplace.startWorker({ environment });
  try {
    await platform.pinged(1);
    return await compare({ marketplace, worker, platform, receivers }, options);
  } finally {
    await worker.stop();
    await Promise.all([platform.stop(), receivers.stop()]);
    await marketplace.database.remove();
  }
}

/** Makes the purchase that backlogs are copied from, and the webhooks, disabled for now. */
async function prepare(marketplace: Marketplace, receivers: WebhookReceivers): Promise<void> {
  const api = await marketplace.startApi({ environment: WEBHOOK_ENVIRONMENT });
  const buyer = new PacedBuyer(marketplace, api);
  await buyer.buy({ count: 1, perSecond: 1 });
  await subscribe(api, receivers, ENDPOINTS);
  await marketplace.database.owner.query(`update webhooks set state = 'disabled'`);
  await buyer.stop();
  await api.stop();
}

async function compare(stage: Stage, { quick, say }: RunOptions): Promise<Figure> {
  const each = quick ? 100 : 1_000;
  const pings = quick ? 4_000 : 20_000;
  const cpu: Record<'pings' | 'webhooks', number[]> = { pings: [], webhooks: [] };
  let repeated = 0;
  const comparison = await interleaved(
    quick ? 2 : 3,
    async () => {
      const { perSecond, cpuMicros } = await timed(stage, pings, () => drainPings(stage, pings));
      cpu.pings.push(cpuMicros);
      return perSecond;
    },
    async () => {
      const count = each * ENDPOINTS;
      await until(async () => await isStreamFilled(stage.marketplace), { withinMs: 60_000 });
      const { perSecond, cpuMicros } = await timed(stage, count, async () => {
        repeated += (await drainWebhooks(stage, each)) - count;
      });
      await endWebhooks(stage.marketplace);
      cpu.webhooks.push(cpuMicros);
      say(`${Math.round(perSecond)} a second`);
      return perSecond;
    },
  );
  return {
    name: `webhooks, drain of ${(each * ENDPOINTS).toLocaleString('en-US')} to ${ENDPOINTS} receivers`,
    value: comparison.ratio,
    unit: 'of the limit',
    target: { atLeast: 0.5 },
    detail:
      `the limit is the drain of ${pings.toLocaleString('en-US')} pings by the same worker; ${comparisonText(comparison)}; worker ` +
      `${Math.round(median(cpu.webhooks))} µs of processor a webhook, ${Math.round(median(cpu.pings))} µs a ping; ` +
      `${repeated} sent twice; the receivers run beside it`,
  };
}

async function timed({ worker }: Stage, count: number, drain: () => Promise<void>) {
  const cpu = await readMetric(worker, 'process_cpu_seconds_total');
  const began = machineMs();
  await drain();
  const seconds = (machineMs() - began) / 1_000;
  const used = (await readMetric(worker, 'process_cpu_seconds_total')) - cpu;
  return { perSecond: count / seconds, cpuMicros: (used * 1e6) / count };
}

/** From the commit of the backlog until the last ping is recorded as delivered. No webhook is active. */
async function drainPings({ marketplace, platform }: Stage, count: number): Promise<void> {
  const { owner } = marketplace.database;
  await platform.forget();
  await addPingBacklog(owner, count);
  await platform.pinged(count);
  const pending = async () => (await owner.query(`select from pings where state = 'pending' limit 1`)).rowCount ?? 0;
  await until(async () => (await pending()) === 0, { withinMs: 60_000 });
}

/** Puts all webhooks so many entries behind and waits until the last delivery is recorded. Returns the number of requests. */
async function drainWebhooks({ marketplace, receivers }: Stage, each: number): Promise<number> {
  await receivers.forget();
  await marketplace.database.owner.query(BEHIND, [each]);
  const { requests } = await receivers.taken(each * ENDPOINTS);
  await until(async () => (await pendingWebhooks(marketplace)) === 0, { withinMs: 60_000 });
  return requests;
}

async function endWebhooks({ database }: Marketplace): Promise<void> {
  // The version tells the worker to look at the state. Until it has, it adds what the stream gets.
  await database.owner.query(`update webhooks set state = 'disabled', version = version + 1`);
  const leased = async () => (await database.owner.query('select from webhook_leases limit 1')).rowCount ?? 0;
  await until(async () => (await leased()) === 0, { withinMs: 60_000 });
  await database.owner.query('truncate webhook_deliveries, webhook_attempts');
}

/** Returns whether the ping stream has all events of the log. Otherwise the backlog would grow during the drain. */
async function isStreamFilled({ database }: Marketplace): Promise<boolean> {
  const { rows } = await database.owner.query<{ filled: boolean }>(FILLED);
  return rows[0]?.filled === true;
}

const FILLED = `
  select not exists (select from outbox)
    and (select max(position) from ping_stream) = (select max(position) from feed) as filled`;

// Does what resuming does, for all webhooks at once.
const BEHIND = `
  update webhooks set state = 'active', version = version + 1, recovering = true,
    position = (select position from ping_stream order by position desc offset $1 limit 1)`;
