import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Purchase } from '../purchase.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import type { Platform } from '../../../../test/support/callers.js';
import { cardBody, shippingAddress, tokenBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
});
afterAll(() => api.close());

let count = 0;
const fresh = (body: object, change: Json = {}) => broken(body, { ref_id: `ref-${(count += 1)}`, ...change });

/** The purchase of this body. GET must return exactly the same bytes. */
async function made(platform: Platform, body: unknown): Promise<Purchase> {
  const answer = await platform.buy(body);
  expect(answer.status, answer.text).toBe(201);
  const purchase = Purchase.parse(answer.body);
  expect(answer.headers.get('location')).toBe(`${PUBLIC_URL}/checkout/v1/purchases/${purchase.id}`);
  const read = await platform.read(purchase.id);
  expect(read.status).toBe(200);
  for (const { headers } of [answer, read]) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(read.text).toBe(answer.text);
  return purchase;
}

/** The recorded rows of an order. */
async function recorded(orderId: string) {
  const query = async (text: string) => (await api.pool.query<Record<string, unknown>>(text, [orderId])).rows;
  return {
    events: await query(`select type, metadata from events where stream = 'order-' || $1 order by position`),
    orders: await query(
      'select version, stage, quantity, stock_held, total_cents, client_id from orders where id = $1',
    ),
    history: await query('select sequence, status_code, actor from status_history where order_id = $1'),
    pings: await query('select sequence, status_code, state, ref_id, transaction_id from pings where order_id = $1'),
  };
}

const CONFIRMED = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 };

describe('a purchase of the payment variant', () => {
  it('gets 201 with the purchase as GET returns it', async () => {
    const purchase = await made(api.payment, fresh(cardBody(), { ref_id: 'the-ref' }));
    expect(purchase).toEqual({
      id: expect.stringMatching(/^ord_[0-9a-f]{32}$/) as string,
      status: CONFIRMED,
      product: { event_id: '5512', listing_id: 'lst-1', quantity: 2 },
      delivery_method: { type: 'ship', data: shippingAddress },
      fulfillment: null,
      market_specific_fields: { campaign: 'spring' },
      ref_id: 'the-ref',
      status_history: [{ ...CONFIRMED, created_at: expect.any(String) as string }],
    });
    const age = Date.now() - Date.parse(purchase.status_history[0]?.created_at ?? '');
    expect(Math.abs(age)).toBeLessThan(60_000);
  });

  it('is recorded as events, a row, a history and a ping', async () => {
    const before = await api.staff.available('lst-1');
    const headers = { 'x-xx-transaction-id': 'tx-1' };
    const answer = await api.payment.buy(fresh(cardBody(), { ref_id: 'with-tx' }), headers);
    expect(answer.headers.get('x-xx-transaction-id')).toBe('tx-1');
    const metadata = { transaction_id: 'tx-1', actor: 'platform:pay-1' };
    const types = ['PurchaseReceived', 'PaymentPrepared', 'PaymentAuthorised', 'OrderConfirmed'];
    expect(await recorded((answer.body as Purchase).id)).toEqual({
      events: types.map((type) => ({ type, metadata })),
      orders: [{ version: 4, stage: 'placed', quantity: 2, stock_held: 2, total_cents: 25_460, client_id: 'pay-1' }],
      history: [{ sequence: 1, status_code: 2000, actor: 'platform:pay-1' }],
      pings: [{ sequence: 1, status_code: 2000, state: 'pending', ref_id: 'with-tx', transaction_id: 'tx-1' }],
    });
    expect(await api.staff.available('lst-1')).toBe(before - 2);
    const line = api.log.find((text) => text.includes('"transaction_id":"tx-1"')) ?? '{}';
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      message: 'request',
      transaction_id: 'tx-1',
      method: 'POST',
      path: '/checkout/v1/purchases',
      status: 201,
      duration_ms: expect.any(Number) as number,
    });
  });

  it('gets our transaction id if the platform sent none', async () => {
    for (const headers of [{}, { 'x-xx-transaction-id': '' }]) {
      const answer = await api.payment.buy(fresh(cardBody()), headers);
      const id = answer.headers.get('x-xx-transaction-id') ?? '';
      expect(id).toMatch(/^req_[0-9a-f]{32}$/);
      const { events } = await recorded((answer.body as Purchase).id);
      expect(events.map(({ metadata }) => metadata)).toEqual(
        Array(4).fill({ transaction_id: id, actor: 'platform:pay-1' }),
      );
      const line = api.log.find((text) => text.includes(`"transaction_id":"${id}"`)) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({ transaction_id_ours: true });
    }
  });

  const ship = (change: object) => ({ delivery_method: { type: 'ship', data: { ...shippingAddress, ...change } } });
  const quebec = ship({ country: 'CA', state: 'QC', zip: 'H2X 1Y4' });
  it.each<[string, number, Json]>([
    ['2 × 110 + 19.53 tax + 15.07 to New York', 254.6, {}],
    ['1 × 110 + 9.76 tax (9.7625) + 15.07', 134.83, { 'product.quantity': 1 }],
    ['3 × 110 + 29.29 tax (29.2875, half up) + 15.07', 374.36, { 'product.quantity': 3 }],
    ['2 × 110 + 11 tax (5 %) + 15.07 to another state', 246.07, ship({ state: 'CA', zip: '94103' })],
    ['2 × 110 + 11 tax + 32.50 to Quebec', 263.5, quebec],
    ['2 × 110 + 11 tax + 30 to Ontario', 261, ship({ country: 'CAN', state: 'on', zip: 'M5V 2T6' })],
    ['2 × 110 + 11 tax for a download', 231, { delivery_method: { type: 'download' } }],
    [
      '2 × 110 + 11 tax + 1.50 for a transfer',
      232.5,
      { delivery_method: { type: 'transfer', data: { email: 'a@b.c' } } },
    ],
    ['a sum of floats', 220 + 19.53 + 15.07, {}],
  ])('costs %s', async (_what, total, change) => {
    await made(api.payment, fresh(cardBody(), { 'payment.total': total, ...change }));
    const cents = await api.pool.query<{ total_cents: number }>(
      'select total_cents from orders order by id desc limit 1',
    );
    expect(cents.rows).toEqual([{ total_cents: Math.round(total * 100) }]);
  });

  it('contains the destination of the tickets for every delivery type', async () => {
    const willCall = { type: 'will_call', data: { first_name: 'Ada', last_name: 'Zoë ☃' } };
    const bought = await made(api.payment, fresh(cardBody(), { 'payment.total': 231, delivery_method: willCall }));
    expect(bought.delivery_method).toEqual(willCall);
    const download = { type: 'download', data: { email: 'ada@example.com' } };
    const other = await made(api.payment, fresh(cardBody(), { 'payment.total': 231, delivery_method: download }));
    expect(other.delivery_method).toEqual(download);
  });

  it('may be paid with a token of either provider', async () => {
    for (const type of ['providera_token', 'providerb_token'] as const) {
      expect(await made(api.payment, fresh(tokenBody(type)))).toMatchObject({ status: CONFIRMED });
    }
  });

  it('may have only the required fields, and unknown ones', async () => {
    const { payment, delivery_method, product } = cardBody();
    const least = await made(api.payment, { payment, delivery_method, product });
    expect(least).not.toHaveProperty('ref_id');
    expect(least).not.toHaveProperty('market_specific_fields');
    const nulls = { user: null, ref_id: null, market_specific_fields: null, coupon: 'x', 'product.row': 'A' };
    expect(await made(api.payment, broken(cardBody(), nulls))).not.toHaveProperty('ref_id');
  });
});

describe('a field that is passed on', () => {
  it.each([
    ' ',
    ' r-1 ',
    'ü-é-☃-🎟-e\u0301',
    '\u00a0\u2028\u2029\u200b\u0001\u007f',
    `"quoted" \\ / 'x' <b>&amp;</b>`,
    '%00%2F?&=#+',
    '__proto__',
    '007',
    '🎟'.repeat(127),
    'r'.repeat(255),
  ])('as ref_id is returned byte for byte: %j', async (refId) => {
    for (const [platform, body] of [
      [api.payment, cardBody()],
      [api.wholesale, wholesaleBody()],
    ] as const) {
      const purchase = await made(platform, broken(body, { ref_id: refId }));
      expect(purchase.ref_id).toBe(refId);
      const { pings } = await recorded(purchase.id);
      expect(pings).toMatchObject([{ ref_id: refId }]);
      const found = await api.staff.get(`orders?ref_id=${encodeURIComponent(refId)}`);
      expect(found.body).toMatchObject({ orders: [{ ref_id: refId }, ...(platform === api.payment ? [] : [{}])] });
    }
  });

  it('as market_specific_fields is returned unchanged', async () => {
    const fields = { z: 1, a: [true, null, -0.5, 1e21, 'é\u2028☃'], nested: { deep: { er: {} } }, '': '', 10: 'ten' };
    for (const [platform, body] of [
      [api.payment, cardBody()],
      [api.wholesale, wholesaleBody()],
    ] as const) {
      const purchase = await made(platform, fresh(body, { market_specific_fields: fields }));
      expect(JSON.stringify(purchase.market_specific_fields)).toBe(JSON.stringify(fields));
    }
  });

  it('as market_specific_fields may be as large as a body allows', async () => {
    const fields = { notes: 'é'.repeat(30_000) };
    const purchase = await made(api.wholesale, fresh(wholesaleBody(), { market_specific_fields: fields }));
    expect(purchase.market_specific_fields).toEqual(fields);
  });
});

describe('a purchase of the wholesale variant', () => {
  it('gets 201, uses the first delivery method and is one append', async () => {
    const purchase = await made(api.wholesale, fresh(wholesaleBody(), { ref_id: 'wh-1' }));
    expect(purchase).toEqual({
      id: expect.any(String) as string,
      status: CONFIRMED,
      product: { event_id: '5512', listing_id: 'lst-1', quantity: 2 },
      delivery_method: { type: 'ship', data: {} },
      fulfillment: null,
      market_specific_fields: { campaign: 'spring' },
      ref_id: 'wh-1',
      status_history: [{ ...CONFIRMED, created_at: expect.any(String) as string }],
    });
    const { events, orders, pings } = await recorded(purchase.id);
    expect(events.map(({ type }) => type)).toEqual(['PurchaseReceived', 'OrderConfirmed']);
    expect(orders).toMatchObject([{ version: 2, stage: 'placed', stock_held: 2, total_cents: 18_002 }]);
    expect(pings).toHaveLength(1);
  });

  it('costs only the wholesale price', async () => {
    for (const quantity of [1, 3, 7]) {
      const total = 90.01 * quantity;
      await made(api.wholesale, fresh(wholesaleBody(), { 'product.quantity': quantity, 'product.total': total }));
    }
  });

  it('needs no user', async () => {
    const { product } = wholesaleBody();
    expect(await made(api.wholesale, { product })).toMatchObject({ delivery_method: { data: {} } });
  });
});
