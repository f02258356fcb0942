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
const DECLINED_CARD = '4000000000000002';

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
  expect(await moneyOf('not taken')).toBeUndefined();
  await payer.start();
  await load.waitForPurchases(10);
});

it('a late answer of the provider changes nothing after the worker found no payment, and the money is returned', async () => {
  const release = await holdLock(stand.pool, 'lock sandbox_payments in share mode');
  const bought = [buyBoth('paid too late'), buyBoth('declined too late', DECLINED_CARD)];
  const pinged = async (name: string) => stand.platform.of((await orderOf(name)) ?? '').length > 0;
  await until(async () => (await pinged('paid too late')) && (await pinged('declined too late')));
  await release();
  for (const answer of await Promise.all(bought)) {
    expect(answer?.status).toBe(201);
    expect(codesOfHistory(answer?.body)).toEqual([3006]);
  }
  await until(async () => (await moneyOf('paid too late')) === 'voided');
  for (const name of ['paid too late', 'declined too late']) {
    expect(await endOf(name)).toEqual([3006]);
    expect(await stand.staff.available(name)).toBe(2);
  }
  await load.waitForPurchases(10);
});

it('the purchases beside these lose nothing', async () => {
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
});
