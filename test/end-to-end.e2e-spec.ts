import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import type { Answer } from './support/callers.js';
import { cardBody, wholesaleBody } from './support/purchase-bodies.js';
import { redisAvailable } from './support/redis.js';
import { type Arrival, codesOfHistory, type PingResponse } from './support/stand/platform-double.js';
import { untilSettled } from './support/stand/settled.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

// Pings are parked after this time. No test waits for it: it makes the pings older.
const GIVEN_UP_AFTER_MS = 600_000;
const CONFIRM_WITHIN_MINUTES = 1;

type Entry = Readonly<{ status: string; status_message: string; status_code: number }>;
type Ping = Readonly<{
  id: string;
  state: string;
  attempts: readonly { http_status: number | null; error: string | null }[];
}>;

const backends = redisAvailable ? (['postgres', 'redis'] as const) : (['postgres'] as const);
if (!redisAvailable) console.log('Skipped: end to end with BullMQ on Redis (no redis-server on the PATH).');

describe.each(backends)('with BullMQ on %s', (queues) => {
  let stand: Stand;

  beforeAll(async () => {
    const settings = { PING_RETRY_FOR_MS: `${GIVEN_UP_AFTER_MS}` };
    stand = await Stand.start({ database: 'shared', queues, apis: 1, workers: 2, settings });
    await stand.staff.putListing('lst-1', { quantity: 1_000 });
    await stand.staff.putListing('manual', {
      confirmation: 'manual',
      confirm_within_minutes: CONFIRM_WITHIN_MINUTES,
      quantity: 1_000,
    });
  });

  afterAll(() => stand.close());

  beforeEach(() => {
    stand.platform.respond = () => ({});
  });

  let purchases = 0;

  /** Buys from the listing in the wholesale variant. */
  async function buy(listing = 'lst-1'): Promise<string> {
    const body = wholesaleBody();
    purchases += 1;
    body.ref_id = `${purchases}`;
    body.product.listing_id = listing;
    return await stand.wholesale.bought(body);
  }

  /** Waits for so many pings of an order. */
  async function pingsOf(orderId: string, count: number, withinMs = 10_000): Promise<Arrival[]> {
    return await until(() => stand.platform.of(orderId).length >= count && stand.platform.of(orderId), { withinMs });
  }

  /** So that a test that failed leaves no ping that the next one would wait for. */
  async function sendParkedAgain(): Promise<void> {
    stand.platform.respond = () => ({});
    await stand.staff.send('POST', 'pings/send', { state: 'parked' });
  }

  async function ordered(answer: Promise<Answer>): Promise<{ status_history: Entry[] }> {
    const { status, body, text } = await answer;
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return body as { status_history: Entry[] };
  }

  it.each(['wholesale', 'payment'] as const)(
    'a %s purchase is pinged, and reads as it was answered',
    async (variant) => {
      const body = { ...(variant === 'payment' ? cardBody() : wholesaleBody()), ref_id: `first-${variant}` };
      const bought = await stand[variant].buy(body, { 'x-xx-transaction-id': `tx-${variant}` });
      expect(bought.status).toBe(201);
      const { id } = bought.body as { id: string };
      const [ping] = await pingsOf(id, 1);
      expect(ping).toMatchObject({ refId: `first-${variant}`, transactionId: `tx-${variant}`, signed: true });
      expect(await ping?.shown).toEqual([2000]);
      expect((await stand[variant].read(id)).body).toEqual(bought.body);
      await untilSettled(stand);
      expect(stand.platform.of(id)).toHaveLength(1);
    },
  );

  it('staff take an order from confirmation to shipping, and the platform gets a ping for each step', async () => {
    const id = await buy('manual');
    const { staff } = stand;
    await ordered(staff.changeStatus(id, 2000));
    await ordered(staff.changeStatus(id, 2001));
    const parcel = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z999' } };
    const shipped = await ordered(staff.send('POST', `orders/${id}/fulfillment`, parcel));
    expect(shipped.status_history.map(({ status_message }) => status_message)).toEqual([
      'Pending confirmation',
      'Confirmed',
      'Order Confirmation Email Sent',
      'Tickets shipped (hard tickets)',
    ]);
    const pings = await pingsOf(id, 4);
    const shown = await Promise.all(pings.map((ping) => ping.shown));
    for (const [index, code] of [1001, 2000, 2001, 2002].entries()) expect(shown[index]?.[index]).toBe(code);
    const { body } = await stand.wholesale.read(id);
    expect(body).toMatchObject({ fulfillment: parcel, status: { status: 'confirmed', status_code: 2002 } });
    await untilSettled(stand);
    expect(stand.platform.of(id)).toHaveLength(4);
  });

  it('a failing platform gets retries in sequence, and parked pings are sent again by staff', async () => {
    const failures: PingResponse[] = [
      { status: 500 },
      { hangUp: true },
      { body: '{"order_id":"ord_another"}' },
      { body: 'thanks' },
      { status: 429, headers: { 'retry-after': '1' } },
    ];
    let failing = true;
    stand.platform.respond = ({ orderId }) =>
      failing ? (failures[stand.platform.of(orderId).length - 1] ?? { status: 500 }) : {};
    onTestFailed(() => sendParkedAgain());
    const id = await buy();
    await ordered(stand.staff.changeStatus(id, 2001));
    const transactionsOf = (pings: readonly Arrival[]) => pings.map(({ transactionId }) => transactionId);
    const failed = await pingsOf(id, failures.length + 1, 60_000);
    expect(failed[5]!.at - failed[4]!.at).toBeGreaterThanOrEqual(1_000);
    // The second ping waits for the first.
    expect(new Set(transactionsOf(failed)).size).toBe(1);
    const pingsOfStaff = async () => ((await stand.staff.get(`pings?order_id=${id}`)).body as { pings: Ping[] }).pings;
    const parked = await until(async () => {
      // Again and again, because the end of an attempt writes the time that was there at its beginning.
      await stand.pool.query(
        `update pings set due_since = occurred_at - $2 * interval '1 millisecond' where order_id = $1`,
        [id, GIVEN_UP_AFTER_MS],
      );
      const pings = await pingsOfStaff();
      return pings.every(({ state }) => state === 'parked') && pings;
    });
    expect(parked[1]?.attempts.slice(0, 5).map(({ http_status: status }) => status)).toEqual([
      500,
      null,
      200,
      200,
      429,
    ]);
    const tries = stand.platform.of(id);
    // The second was not sent before the first was parked.
    const transactions = transactionsOf(tries);
    expect(new Set(transactions.slice(0, transactions.lastIndexOf(transactions[0] ?? '') + 1)).size).toBe(1);

    failing = false;
    const filter = { state: 'parked', order_id: id };
    expect((await stand.staff.send('POST', 'pings/send', { ...filter, dry_run: true })).body).toMatchObject({
      matched: 2,
      sent: 0,
    });
    expect(stand.platform.of(id)).toHaveLength(tries.length);
    expect((await stand.staff.send('POST', 'pings/send', filter)).body).toMatchObject({ matched: 2, sent: 2 });
    const again = (await pingsOf(id, tries.length + 2)).slice(tries.length);
    expect(again.map(({ transactionId }) => transactionId)).toEqual([...new Set(transactions)]);
    await until(async () => (await pingsOfStaff()).every(({ state }) => state === 'delivered'));
    const [last] = await pingsOfStaff();
    expect((await stand.staff.send('POST', `pings/${last?.id}/send`)).status).toBe(200);
    await pingsOf(id, tries.length + 3);
    await untilSettled(stand);
  });

  it('an absent platform gets only probes, staff see it, and every ping arrives when it is back', async () => {
    const health = async () => {
      const { endpoints } = (await stand.staff.get('delivery/health')).body as { endpoints: { state: string }[] };
      return endpoints[0]?.state;
    };
    const notices = async () => {
      const { body } = await stand.staff.get('notices?subject=platform');
      return (body as { notices: { kind: string }[] }).notices.map(({ kind }) => kind);
    };
    stand.platform.respond = () => ({ status: 503 });
    // At least one of two workers has ten failures.
    const ids = await Promise.all(Array.from({ length: 30 }, () => buy()));
    await until(async () => (await health()) === 'open');
    stand.platform.respond = () => ({});
    await untilSettled(stand);
    for (const id of ids) expect(stand.platform.of(id).at(-1)).toMatchObject({ signed: true });
    await until(async () => (await health()) === 'delivering');
    expect(new Set(await notices())).toEqual(new Set(['platform.breaker_closed', 'platform.breaker_opened']));
  });

  it('an order that is not confirmed in time is rejected and releases its tickets', async () => {
    const before = await stand.staff.available('manual');
    const id = await buy('manual');
    // Makes the order older.
    await stand.pool.query(`update orders set due_at = due_at - $2 * interval '1 minute' where id = $1`, [
      id,
      CONFIRM_WITHIN_MINUTES,
    ]);
    const pings = await pingsOf(id, 2);
    expect(await pings[1]?.shown).toEqual([1001, 3005]);
    expect(await stand.staff.available('manual')).toBe(before);
    const inTime = await buy('manual');
    expect(codesOfHistory((await stand.wholesale.read(inTime)).body)).toEqual([1001]);
  });

  it('a rejected order is refunded', async () => {
    const id = await stand.payment.bought({ ...cardBody(), ref_id: 'to be rejected' });
    const paid = async () =>
      ((await stand.staff.get(`orders/${id}`)).body as { payment: { state: string } }).payment.state;
    await until(async () => (await paid()) === 'captured');
    const before = await stand.staff.available('lst-1');
    await ordered(stand.staff.changeStatus(id, 3002));
    await until(async () => (await paid()) === 'refunded');
    expect(await stand.staff.available('lst-1')).toBe(before + 2);
    const { rows } = await stand.pool.query('select amount_cents::int from sandbox_refunds where order_id = $1', [id]);
    expect(rows).toEqual([{ amount_cents: 25_460 }]);
    await untilSettled(stand);
    const pings = stand.platform.of(id);
    expect(pings).toHaveLength(2);
    expect(await pings[1]?.shown).toEqual([2000, 3002]);
  });

  it('two workers share the orders, and never deliver one order at the same time', async () => {
    const attempts = () => Promise.all(stand.parts.workers.map(attemptsOf));
    const before = await attempts();
    stand.platform.respond = () => ({ afterMs: 30 });
    const ids = await Promise.all(Array.from({ length: 20 }, () => buy()));
    for (const code of [2001, 4006, 2000, 2005]) {
      await Promise.all(ids.map((id) => ordered(stand.staff.changeStatus(id, code))));
    }
    await untilSettled(stand);
    const pings = ids.flatMap((id) => stand.platform.of(id));
    expect(pings).toHaveLength(100);
    expect(pings.filter(({ overlaps }) => overlaps)).toEqual([]);
    for (const id of ids) expect(await stand.platform.of(id)[4]?.shown).toEqual([2000, 2001, 4006, 2000, 2005]);
    const after = await attempts();
    for (const [worker, count] of after.entries()) expect(count).toBeGreaterThan(before[worker] ?? 0);
  });

  it('verify finds no differences', async () => {
    expect(await stand.verify()).toBe('');
  });
});

/** How many pings this worker has sent. */
async function attemptsOf({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = [...metrics.matchAll(/^willcall_ping_attempts_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
