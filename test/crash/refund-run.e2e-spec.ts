import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OrderCommand } from '#domain/order';
import type { ReceivedPurchase } from '#domain/order-events';
import { SeededRandomness } from '#base/seeded-randomness';
import { PAYMENT } from '../support/callers.js';
import { cases } from '../support/cases.js';
import { fillLog } from '../support/orders/bulk-log.js';
import { untilAtRest } from '../support/payments/crashes/at-rest.js';
import { moneyViolations } from '../support/payments/crashes/money-judge.js';
import { StripeDouble } from '../support/payments/stripe-double.js';
import { redisAvailable } from '../support/redis.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

// `CASES=250` makes them 50,000.
const ORDERS = cases(200);
const [KILLS, DRY_SPELLS] = process.env['KILLS'] === 'all' ? [20, 2] : [2, 1];
const CENTS = 10_000;
const SEED = 20_261_126;
const PER_SECOND = 1_000;
// A cancellation leaves the processors to purchases, so on a busy machine it refunds some orders a second.
const WITHIN_MS = 600_000 + ORDERS * 400;

let double: StripeDouble;
let stand: Stand;
let platform: Server;

beforeAll(async () => {
  double = await StripeDouble.start();
  double.letThrough(PER_SECOND);
  // Whoever reads each order after its ping would be most of the work. An order without an acknowledged ping is told of again and again.
  platform = createServer(({ url = '' }, response) => {
    const [, id] = /\/purchases\/([^/]+)\/update/.exec(url) ?? [];
    response.end(JSON.stringify({ order_id: id }));
  });
  await once(platform.listen(0, '127.0.0.1'), 'listening');
  const settings = {
    ...double.settings,
    PAYMENT_PROVIDER: 'stripe',
    PAYMENT_SWEEP_MS: '500',
    APPROVAL_FROM_ORDERS: '100000',
    REFUNDS_PER_SECOND: `${PER_SECOND}`,
    PLATFORM_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
  };
  const queues = redisAvailable ? 'redis' : 'postgres';
  stand = await Stand.start({ database: 'shared', queues, apis: 1, workers: 0, settings });
  await fillLog(stand.pool, ORDERS, { purchase: paidByCard, history: captured });
  // The platform was told of the orders, and the provider told of the charges, long ago.
  await stand.pool.query(`update pings set state = 'delivered', next_try_at = null, delivered_at = now()`);
  double.book.events.length = 0;
  await stand.addWorker('worker-1');
}, WITHIN_MS);
afterAll(async () => {
  await stand.close();
  await double.stop();
  platform.close();
  platform.closeAllConnections();
});

const paidByCard = (purchase: ReceivedPurchase, number: number): ReceivedPurchase => ({
  ...purchase,
  // Without a secret its pings are tried again for ever.
  client_id: PAYMENT.clientId,
  variant: 'payment',
  total_cents: CENTS,
  ref_id: `ref-${number}`,
  duplicate_key: `ref:ref-${number}`,
  hold_for_review: false,
  confirmation: 'automatic',
  confirm_within_minutes: null,
  payment: { type: 'creditcard', brand: 'visa', last_four: '4242', expiry_month: 12, expiry_year: 2_039 },
});

/** Held and taken at the double too. */
function captured(orderId: string): readonly OrderCommand[] {
  const { book } = double;
  const fields = { amount: CENTS, currency: 'usd', customer: null, description: null };
  const intent = book.prepare({ ...fields, metadata: { order_id: orderId } });
  book.authorise(intent, {
    id: 'pm_card_visa',
    number: '4242424242424242',
    month: 12,
    year: 2_039,
    name: null,
    customer: null,
  });
  book.capture(intent, CENTS);
  const payment = { provider: 'stripe', reference: intent.id };
  const held = { is: 'authorised', ...payment, amount_cents: CENTS, capture_before: null } as const;
  const fee =
    intent.charge?.line &&
    ({ reference: intent.charge.line.id, amount_cents: intent.charge.line.fee, for: 'charge' } as const);
  return [
    { type: 'RecordPreparedPayment', ...payment, key: null },
    { type: 'RecordPaymentOutcome', outcome: held, platformWaits: true },
    { type: 'RecordCapture', outcome: { is: 'captured', amount_cents: CENTS, fee: fee ?? null }, refundId: 'rf_none' },
  ];
}

const refunded = () => double.book.refundRecords.length;

/** Kills the worker each time so many more refunds were made. */
async function killWhile(random: SeededRandomness): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const at = Math.floor((ORDERS * (kill - random.fraction())) / KILLS);
    await until(() => refunded() >= at, { withinMs: WITHIN_MS });
    await stand.worker().kill();
    await stand.worker().start();
  }
}

/** The money comes in equal parts, each once nothing is left. */
async function runDry(): Promise<void> {
  const part = Math.ceil(ORDERS / (DRY_SPELLS + 1)) * CENTS;
  const isShort = async () => (await stand.pool.query('select from provider_shortages')).rowCount === 1;
  double.setBalance(part);
  for (let spell = 0; spell < DRY_SPELLS; spell += 1) {
    await until(async () => double.book.balance < CENTS && (await isShort()), { withinMs: WITHIN_MS });
    // That takes days, so the keys of what was refused are forgotten, and only our ids tell what was done.
    double.forgetKeys();
    double.setBalance(double.book.balance + part);
  }
}

it(
  'each order of a cancelled event is refunded once, though workers are killed and the balance runs dry',
  async () => {
    const began = performance.now();
    const answer = await stand.staff.send('POST', 'jobs', { kind: 'cancel_event', event_id: 'event', arguments: {} });
    expect(answer.status, answer.text).toBe(202);
    await Promise.all([killWhile(new SeededRandomness(SEED)), runDry()]);
    await until(() => refunded() >= ORDERS, { withinMs: WITHIN_MS });
    const seconds = (performance.now() - began) / 1_000;
    await untilAtRest(stand.pool, double);
    const refunds = double.book.refunds();
    expect(refunds).toHaveLength(ORDERS);
    expect(new Set(refunds.map(({ payment }) => payment)).size).toBe(ORDERS);
    expect(refunds.every(({ state, amountCents }) => state === 'succeeded' && amountCents === CENTS)).toBe(true);
    expect(await moneyViolations(stand.pool, { name: 'stripe', book: double.book }, [])).toEqual([]);
    const { rows } = await stand.pool.query('select state, reason from jobs');
    expect(rows).toEqual([{ state: 'done', reason: null }]);
    if (process.env['CASES'])
      console.log(`${ORDERS} refunds in ${Math.round(seconds)} s, ${Math.round(ORDERS / seconds)} a second`);
  },
  WITHIN_MS,
);
