import { until } from '../../test/support/until.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { onRedis } from '../setup/on-redis.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import type { Service } from '../setup/service.js';
import {
  asStaff,
  pendingWebhooks,
  subscribe,
  WEBHOOK_ENVIRONMENT,
  WebhookReceivers,
} from '../setup/webhook-receivers.js';
import { inMs, quantile } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const ENDPOINTS = 50;
const A_SECOND = 20;
const WARM_UP_SECONDS = 3;
const DRAIN_WAIT = { withinMs: 60_000, everyMs: 500 };

/** How one hanging receiver affects the others: from the 201 of a purchase to the arrival of its webhooks. */
export const webhookLatency: Measurement = {
  name: 'webhook-latency',
  about: `one of ${ENDPOINTS} receivers hangs: the p99 of the others with and without, on Redis`,
  run: onRedis(measure),
};

type Stage = Readonly<{
  marketplace: Marketplace;
  api: Service;
  buyer: PacedBuyer;
  receivers: WebhookReceivers;
  webhookIds: readonly string[];
}>;

async function measure(options: RunOptions, redisUrl: string): Promise<Figure[]> {
  const marketplace = await createMarketplace();
  const [platform, receivers] = await Promise.all([PingReceiver.start(), WebhookReceivers.start()]);
  const environment = { ...WEBHOOK_ENVIRONMENT, REDIS_URL: redisUrl };
  const api = await marketplace.startApi({ environment });
  const worker = await marketplace.startWorker({ environment: { ...environment, PLATFORM_URL: platform.url } });
  const buyer = new PacedBuyer(marketplace, api);
  try {
    const webhookIds = await subscribe(api, receivers, ENDPOINTS);
    return await compare({ marketplace, api, buyer, receivers, webhookIds }, options);
  } finally {
    await buyer.stop();
    await Promise.all([worker.stop(), api.stop()]);
    await Promise.all([platform.stop(), receivers.stop()]);
    await marketplace.database.remove();
  }
}

async function compare(stage: Stage, { quick, say }: RunOptions): Promise<Figure[]> {
  // Shorter than a time-out, so no circuit breaker stops the calls to the hanging receiver. Many rounds, because in one round a
  // single slow purchase decides the p99.
  const seconds = quick ? 4 : 8;
  await latencies(stage, WARM_UP_SECONDS);
  const [healthy, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 2 : 8); round += 1) {
    const without = await latencies(stage, seconds);
    const withHanging = await withHangingReceiver(stage, () => latencies(stage, seconds));
    say(`${inMs(without)}; beside one that hangs ${inMs(withHanging)}`);
    healthy.push(...without);
    beside.push(...withHanging);
  }
  return [
    {
      name: `webhooks, p99 of ${ENDPOINTS - 1} receivers beside one that hangs`,
      value: quantile(beside, 0.99) / quantile(healthy, 0.99),
      unit: 'of the limit',
      target: { atMost: 1.1 },
      detail:
        `the limit is their p99 without it; ${A_SECOND} purchases a second; from the 201: ${inMs(beside)}; ` +
        `without it ${inMs(healthy)}`,
    },
  ];
}

/** Of all receivers except the first, in milliseconds from the 201. */
async function latencies({ buyer, receivers }: Stage, seconds: number): Promise<number[]> {
  await receivers.forget();
  const count = A_SECOND * seconds;
  const bought = await buyer.buy({ count, perSecond: A_SECOND });
  const answered = new Map(bought.map(({ orderId, answeredAt }) => [orderId, answeredAt]));
  const { arrivals } = await receivers.taken(count * (ENDPOINTS - 1));
  return arrivals.flatMap(([orderId, at, path]) => {
    const from = path === '/1' ? undefined : answered.get(orderId);
    return from === undefined ? [] : [at - from];
  });
}

async function withHangingReceiver(stage: Stage, run: () => Promise<number[]>): Promise<number[]> {
  const { api, receivers, webhookIds, marketplace } = stage;
  const path = `webhooks/${webhookIds[0]}`;
  await asStaff(api, 'PATCH', path, { url: `${receivers.url}/hangs` });
  const values = await run();
  await asStaff(api, 'PATCH', path, { url: `${receivers.url}/1` });
  await until(async () => {
    // Otherwise each round would wait for the retries of what timed out.
    await marketplace.database.owner.query(
      `update webhook_deliveries set next_try_at = now() where next_try_at > now()`,
    );
    return (await pendingWebhooks(marketplace)) === 0;
  }, DRAIN_WAIT);
  return values;
}
