import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardBody, wholesaleBody } from './support/purchase-bodies.js';
import { CollectorDouble, type ExportedSpan } from './support/stand/collector-double.js';
import { untilSettled } from './support/stand/settled.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';
import { WebhookDouble } from './support/webhooks/webhook-double.js';

/** `ORDERS=1000 npx vitest run --project e2e test/traces.e2e-spec.ts` */
const ORDERS = Number(process.env['ORDERS'] ?? 50);
const AT_ONCE = 8;
/** Pings that each worker sends at a time. */
const IN_HAND = 10;

const PURCHASE = 'POST /checkout/v1/purchases';
const READ = 'GET /checkout/v1/purchases/:id';
const PATH = [PURCHASE, 'append', 'process pings', 'POST', READ].join(' > ');

let collector: CollectorDouble;
let receiver: WebhookDouble;
let stand: Stand;

beforeAll(async () => {
  collector = await CollectorDouble.listen();
  receiver = await WebhookDouble.start();
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // A killed process takes the spans along that it has not sent yet.
    OTEL_BSP_SCHEDULE_DELAY: '100',
    PING_CONCURRENCY: String(IN_HAND),
    PING_TIMEOUT_MS: '5000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  stand = await Stand.start({ database: 'shared', apis: 1, workers: 2, settings });
  await stand.staff.putListing('lst-1', { quantity: 2 * ORDERS });
  await stand.staff.send('POST', 'webhooks', { url: receiver.url });
});

afterAll(async () => {
  await stand.close();
  await receiver.stop();
  await collector.close();
});

it('each order has one unbroken trace from its purchase to the platform’s read, also over the death of a worker', async () => {
  let release: () => void = () => undefined;
  const isKilled = new Promise<void>((resolve) => (release = resolve));
  const { platform } = stand;
  platform.respond = ({ number }) => (number > ORDERS ? { before: () => isKilled } : {});
  const orders = await bought(ORDERS);
  // Both workers have as many pings in hand as they send at a time. What they have delivered is exported.
  await until(() => platform.arrivals.filter(({ delivered }) => delivered === undefined).length === 2 * IN_HAND);
  await until(() => delivered().every(({ traceparent }) => pingSpan(traceparent)));
  await stand.worker().kill();
  // The double must not take an answer to a dead worker for a delivery.
  await until(() => platform.arrivals.filter(({ hungUp }) => hungUp).length === IN_HAND);
  release();
  await untilSettled(stand);
  await Promise.all(platform.arrivals.map(({ shown }) => shown));
  await until(() => orders.every((id) => faultsOf(id).length === 0)).catch(() => undefined);

  expect(orders.flatMap((id) => faultsOf(id).map((fault) => `${id}: ${fault}`))).toEqual([]);
  const resent = orders.filter((id) => platform.of(id).length > 1);
  console.log(
    `${orders.length} orders, ${collector.spans.length} spans; pings of ${resent.length} orders were sent again.`,
  );
  expect(resent.length).toBeGreaterThan(0);
  // The log with traces in its events still proves itself, and the pings are those of the events.
  expect(await stand.verify()).toBe('');
}, 600_000);

it('spans have nothing of buyers and cards', () => {
  const exported = collector.bodies.join('');
  expect(exported).toContain('sandbox authorise');
  const { delivery_method: method, payment } = cardBody();
  // A postal code may be in the digits of a time.
  const said = [...Object.values(method.data), ...Object.values(payment.data)].map(String);
  expect(said.filter((value) => value.length > 5 && exported.includes(value))).toEqual([]);
});

it('the lines of a request in the log name its trace', () => {
  const [{ traceId }] = collector.spans.filter(({ name }) => name === PURCHASE) as [ExportedSpan];
  const lines = stand.api().log().split('\n');
  expect(lines.filter((line) => line.includes(`"trace_id":"${traceId}"`)).join()).toContain('/checkout/v1/purchases');
});

async function bought(count: number): Promise<string[]> {
  const ids: string[] = [];
  const buy = async (first: number) => {
    for (let number = first; number < count; number += AT_ONCE) {
      const [platform, body] =
        number % 2 === 0 ? [stand.wholesale, wholesaleBody()] : ([stand.payment, cardBody()] as const);
      body.product.listing_id = 'lst-1';
      ids.push(await platform.bought({ ...body, ref_id: `trace-${number}` }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => buy(first)));
  return ids;
}

const delivered = () => stand.platform.arrivals.filter((ping) => ping.delivered !== undefined);

const pingSpan = (traceparent = '') => collector.spans.find(({ spanId }) => spanId === traceparent.split('-')[2]);

/** What is missing in the trace of an order. */
function faultsOf(orderId: string): string[] {
  const { spans } = collector;
  const appends = spans.filter(
    ({ service, attributes }) => service === 'willcall-api' && attributes['willcall.stream'] === `order-${orderId}`,
  );
  const traces = new Set(appends.map(({ traceId }) => traceId));
  const [trace = ''] = traces;
  const faults = traces.size === 1 ? [] : [`${traces.size} traces`];
  for (const { traceparent = '' } of stand.platform.of(orderId)) {
    if (traceparent.split('-')[1] !== trace) faults.push(`a ping in the trace ${traceparent}`);
  }
  for (const { traceparent } of delivered().filter((ping) => ping.orderId === orderId)) {
    const ping = pingSpan(traceparent);
    const read = spans.find(({ name, parentSpanId }) => name === READ && parentSpanId === ping?.spanId);
    const path = read ? pathTo(read) : ['no read'];
    if (path.join(' > ') !== PATH) faults.push(path.join(' > '));
  }
  const webhooks = receiver.received.filter((webhook) => webhook.orderId === orderId);
  if (webhooks.length === 0) faults.push('no webhook');
  for (const { headers } of webhooks) {
    if (headers['traceparent']?.split('-')[1] !== trace) faults.push(`a webhook in ${headers['traceparent']}`);
  }
  return faults;
}

/** The names of the spans above one, and its own. */
function pathTo(span: ExportedSpan): string[] {
  const { traceId, parentSpanId, name } = span;
  if (parentSpanId === '') return [name];
  const parent = collector.spans.find((one) => one.spanId === parentSpanId && one.traceId === traceId);
  return parent ? [...pathTo(parent), name] : ['a span that is missing', name];
}
