import { setTimeout as pause } from 'node:timers/promises';
import type { Figure, Measurement, RunOptions } from '../measurement.js';
import { JobDesk } from '../setup/job-desk.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { inMs, quantile } from '../statistics.js';

const A_SECOND = 100;
const BUYING_SECONDS = 2;
// The loaded orders have no tickets of these.
const ASKED_EVENT = '9005513';
const CANCELLED_EVENT = '9005514';

/** Jobs of a desk with 1,000,000 orders. All pings are sent meanwhile. */
export const jobs: Measurement = {
  name: 'jobs',
  about: `a bulk action on 10,000 orders; a cancelled event of 10,000 beside ${A_SECOND} purchases a second`,
  async run(options) {
    const orders = options.quick ? 1_000 : 10_000;
    const desk = await JobDesk.start(100 * orders, options.say);
    try {
      return [...(await measureBulkAction(desk, orders)), ...(await measureCancellation(desk, orders, options))];
    } finally {
      await desk.stop();
    }
  },
};

/** Orders that wait for their broker are accepted at once. */
async function measureBulkAction(desk: JobDesk, orders: number): Promise<Figure[]> {
  await desk.sellEvent(ASKED_EVENT, orders, { confirmation: 'manual', confirm_within_minutes: 600 });
  await desk.receiver.forget();
  const where = { field: 'event_id', op: '=', value: ASKED_EVENT };
  const began = performance.now();
  const [endedAt, pingedAt] = await Promise.all([
    desk.runJob({ kind: 'accept', where, arguments: {} }, orders),
    desk.receiver.pinged(orders).then(() => performance.now()),
  ]);
  const perSecond = (at: number) => (orders / (at - began)) * 1_000;
  return [
    {
      name: 'orders changed by a bulk action',
      value: perSecond(endedAt),
      unit: 'a second',
      target: { atLeast: 500 },
      detail: `${orders} orders accepted, while their pings are sent`,
    },
    {
      name: 'orders of a bulk action that the platform was told of',
      value: perSecond(pingedAt),
      unit: 'a second',
      detail: `from the request until the ping of the last of ${orders} orders arrived`,
    },
  ];
}

/** An event is cancelled while purchases of another event go on. */
async function measureCancellation(desk: JobDesk, orders: number, { quick, say }: RunOptions): Promise<Figure[]> {
  await desk.sellEvent(CANCELLED_EVENT, orders);
  const buyer = new PacedBuyer(desk.marketplace, desk.api);
  const buy = async (seconds: number) =>
    (await buyer.buy({ count: A_SECOND * seconds, perSecond: A_SECOND })).map((one) => one.answeredAt - one.sentAt);
  try {
    await buy(quick ? 2 : 10);
    const alone = await buy(quick ? 4 : 20);
    const began = performance.now();
    const end = desk.runJob({ kind: 'cancel_event', event_id: CANCELLED_EVENT, arguments: {} }, orders);
    const beside: number[] = [];
    for (let running = true; running; running = await Promise.race([end.then(() => false), pause(0, true)])) {
      beside.push(...(await buy(BUYING_SECONDS)));
    }
    const endedAt = await end;
    const p99 = (latencies: readonly number[]) => quantile(latencies, 0.99);
    say(`alone: ${inMs(alone)}`);
    say(`beside the run: ${inMs(beside)}`);
    return [
      {
        name: 'purchases beside a cancelled event, p99',
        value: p99(beside) / p99(alone),
        unit: 'times',
        target: { atMost: 2 },
        detail: `${A_SECOND} purchases a second of another event; beside ${inMs(beside)}; alone ${inMs(alone)}`,
      },
      {
        name: 'orders of a cancelled event',
        value: (orders / (endedAt - began)) * 1_000,
        unit: 'a second',
        detail: `${orders} orders beside those purchases`,
      },
    ];
  } finally {
    await buyer.stop();
  }
}
