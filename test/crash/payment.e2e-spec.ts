import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, PAYMENT, Platform } from '../support/callers.js';
import { cardBody } from '../support/purchase-bodies.js';
import { Load } from '../support/stand/load.js';
import { holdLock, countWaiting } from '../support/postgres/locks.js';
import { codesOfHistory } from '../support/stand/platform-double.js';
import type { Service } from '../support/stand/service.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

// The sandbox charges this card at once and answers 30 s later.
const LATE_CARD = '4000000000000341';

let stand: Stand;
let payer: Service;
let load: Load;

beforeAll(async () => {
  // The sandbox provider is slow because its table is locked, for longer than the usual lock time-out.
  stand = await Stand.start({ database: 'shared', settings: { LOCK_TIMEOUT_MS: '60000' } });
  payer = stand.api(1);
  // Its payments would wait for the locks of a test.
  load = await Load.start({ apis: [stand.api().url], variant: 'wholesale', buyers: 1 });
  await load.waitForPurchases(10);
});

afterAll(async () => {
  await load.stop();
  await stand.close();
});

/** Buys both tickets of a new listing from the second api. */
async function buyBoth(name: string, card?: string): Promise<Answer | undefined> {
  await stand.staff.putListing(name, { quantity: 2 });
  const body = cardBody();
  if (card !== undefined) body.payment.data.card_number = card;
  body.ref_id = name;
  body.product.listing_id = name;
  return await new Platform(payer.url, PAYMENT).buy(body).catch(() => undefined);
}

async function orderOf(name: string): Promise<string | undefined> {
  const { rows } = await stand.pool.query<{ id: string }>('select id from orders where ref_id = $1', [name]);
  return rows[0]?.id;
}

async function moneyOf(name: string): Promise<string | undefined> {
  const { rows } = await stand.pool.query<{ state: string }>('select state from sandbox_payments where order_id = $1', [
    await orderOf(name),
  ]);
  return rows[0]?.state;
}

/** Waits for the statuses that the order gets by itself. GET and pings must agree. */
async function endOf(name: string): Promise<readonly number[]> {
  const id = (await orderOf(name)) ?? '';
  const isOver = `select from orders where id = $1 and due_at is null
    and not exists (select from pings where order_id = $1 and state <> 'delivered')`;
  await until(async () => (await stand.pool.query(isOver, [id])).rowCount === 1, { withinMs: 30_000 });
  const codes = codesOfHistory((await stand.payment.read(id)).body);
  const pings = stand.platform.of(id);
  expect(pings).toHaveLength(codes.length);
  expect(await pings.at(-1)?.shown).toEqual(codes);
  return codes;
}

it('after an api is killed when the money is taken, the worker finds the payment and confirms the order', async () => {
  const bought = buyBoth('taken', LATE_CARD);
  await until(async () => (await moneyOf('taken')) === 'authorised');
  await payer.kill();
  expect(await bought).toBeUndefined();
  expect(await stand.staff.available('taken')).toBe(0);
  expect(await endOf('taken')).toEqual([2000]);
  expect(await stand.staff.available('taken')).toBe(0);
  await payer.start();
  await load.waitForPurchases(10);
});

it('after an api is killed before the money is taken, the worker rejects the order and releases the tickets', async () => {
  const release = await holdLock(stand.pool, 'lock sandbox_payments in share mode');
  const bought = buyBoth('not taken');
  await until(async () => (await countWaiting(stand.pool, 'willcall api')) === 1);
  await payer.kill();
  expect(await bought).toBeUndefined();
  expect(await stand.staff.available('not taken')).toBe(0);
  // Otherwise the server would continue with the statements of the killed process.
  await stand.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'willcall api' and wait_event_type = 'Lock'`,
  );
  await release();
  expect(await endOf('not taken')).toEqual([3006]);
  expect(await stand.staff.available('not taken')).toBe(2);
  // The worker has closed it, so nothing can be taken any more.
  expect(await moneyOf('not taken')).toBe('voided');
  await payer.start();
  await load.waitForPurchases(10);
});

/** What the sandbox gave back of the order, and what the log knows of that, in US cents. */
async function partsOf(id: string): Promise<{ given: number[]; recorded: number[] } | undefined> {
  const { rows } = await stand.pool.query<{ given: number[]; recorded: number[] }>(
    `select array(select amount_cents::int from sandbox_refunds where order_id = $1) as given,
       array(select (asked.data ->> 'amount_cents')::int from events made join events asked using (stream)
         where stream = 'order-' || $1 and made.type = 'RefundSucceeded' and asked.type = 'RefundRequested') as recorded`,
    [id],
  );
  return rows[0];
}

const CAPTURED = 'select from sandbox_payments where order_id = $1 and captured_cents is not null';

/** An order whose payment was taken and whose buyer is offered cheaper tickets. */
async function withOffer(name: string): Promise<string> {
  const { body } = (await buyBoth(name)) ?? expect.fail('the purchase was not answered');
  const { id } = body as { id: string };
  await until(async () => (await stand.pool.query(CAPTURED, [id])).rowCount === 1);
  const offer = { listing_id: 'cheaper', expires_in_minutes: 30 };
  expect((await stand.staff.send('POST', `orders/${id}/replacement`, offer)).status).toBe(200);
  return id;
}

it('a worker that is killed wherever it gives a price difference back leaves it given back once', async () => {
  const { pool, staff } = stand;
  const worker = stand.worker();
  await staff.putListing('cheaper', { quantity: 6, price: 90 });
  const names = ['not asked', 'not recorded', 'recorded'] as const;
  const [notAsked, notRecorded, recorded] = (await Promise.all(names.map(withOffer))) as [string, string, string];
  const ids = [notAsked, notRecorded, recorded];
  worker.signal('SIGSTOP');
  for (const id of ids) expect((await staff.send('POST', `orders/${id}/replacement/accept`)).status).toBe(200);
  const beforeIt = (id: string) => `select from sandbox_payments where order_id = '${id}' for update`;
  const afterIt = (id: string) => `select from orders where id = '${id}' for update`;
  const waiting = () => countWaiting(pool, 'willcall worker');
  const [releaseFirst, releaseSecond] = [
    await holdLock(pool, beforeIt(notAsked)),
    await holdLock(pool, beforeIt(notRecorded)),
  ];
  worker.signal('SIGCONT');
  await until(async () => (await partsOf(recorded))?.recorded.length === 1 && (await waiting()) === 2);
  const releaseThird = await holdLock(pool, afterIt(notRecorded));
  await releaseSecond();
  await until(async () => (await partsOf(notRecorded))?.given.length === 1 && (await waiting()) === 2);
  await worker.kill();
  // Otherwise the server would continue with the statements of the killed process.
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'willcall worker' and wait_event_type = 'Lock'`,
  );
  await Promise.all([releaseFirst(), releaseThird()]);
  const counts = async () => {
    const parts = await Promise.all(ids.map(partsOf));
    return parts.map((part) => [part?.given.length, part?.recorded.length]);
  };
  expect(await counts()).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
  await worker.start();
  const isDue = `select from orders where id = any($1) and payment_due_at is not null`;
  // The queue hands the jobs of a killed worker on after 15 s.
  await until(async () => (await pool.query(isDue, [ids])).rowCount === 0, { withinMs: 60_000 });
  for (const id of ids) expect(await partsOf(id)).toEqual({ given: [2_178], recorded: [2_178] });
  await load.waitForPurchases(10);
});

it('the purchases beside these lose nothing', async () => {
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
});
