import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderList } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { type Answer, call, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
/** Ids by the name of the purchase. */
const ids: Record<string, string> = {};

async function buy(name: string, change: Json = {}): Promise<void> {
  const body = broken(wholesaleBody(), { ref_id: `ref-${name}`, ...change });
  const answer = await api.wholesale.buy(body, { 'x-xx-transaction-id': `tx-${name}` });
  ids[name] = (answer.body as { id: string }).id;
}

const idOf = (name: string) => ids[name] ?? '';
const search = (body: Json): Promise<Answer> => api.staff.send('POST', 'orders/search', body);

async function names(body: Json): Promise<string> {
  const answer = await search(body);
  expect(answer.status, answer.text).toBe(200);
  const { orders } = OrderList.parse(answer.body);
  return orders.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id).join('');
}

const found = (field: string, op: string, value?: unknown) => names({ where: { field, op, value } });

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  await api.staff.putListing('lst-2', {
    quantity: 1_000,
    event_id: '7',
    confirmation: 'manual',
    confirm_within_minutes: 60,
  });
  await buy('a');
  await buy('b', { 'user.email': 'Grace.Hopper@Example.com', 'user.phone': '+44 20 7946 0000' });
  await buy('c', { 'product.listing_id': 'lst-2', 'product.event_id': '7' });
  await buy('d', { ref_id: undefined, user: undefined });
  ids['e'] = await api.payment.bought(
    broken(cardBody(), { ref_id: 'ref-e', 'delivery_method.data.last_name': "O'Brien", 'user.phone': '555-0199' }),
  );
  await api.staff.changeStatus(idOf('b'), 4005);
  await api.staff.changeStatus(idOf('d'), 3001);
  const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z-999' } };
  await api.staff.send('POST', `orders/${idOf('e')}/fulfillment`, ship);
  await api.staff.send('PUT', `orders/${idOf('a')}/tags`, ['vip', 'late']);
  await api.staff.send('POST', `orders/${idOf('a')}/notes`, { text: 'Called twice.', visibility: 'internal' });
  await api.pool.query(`update pings set state = 'parked', next_try_at = null where order_id = $1`, [ids['c']]);
});
afterAll(() => api.close());

describe('a search for orders', () => {
  it.each<[string, string, unknown, string]>([
    ['status', '=', 'confirmed', 'ea'],
    ['status', '!=', 'confirmed', 'dcb'],
    ['status', 'in', ['pending', 'rejected'], 'dc'],
    ['status_code', '=', 4005, 'b'],
    ['stage', '=', 'placed', 'edcba'],
    ['queue', '=', 'to_confirm', 'c'],
    ['queue', '=', 'exceptions', 'b'],
    ['queue', 'in', ['to_confirm', 'to_ship', 'to_deliver'], 'ca'],
    ['queue', 'is_null', true, 'ed'],
    ['queue', '=', 'overdue', ''],
    ['client_id', '=', 'pay-1', 'e'],
    ['variant', '=', 'wholesale', 'dcba'],
    ['event_id', 'starts_with', '55', 'edba'],
    ['event_id', 'in', ['7'], 'c'],
    ['listing_id', '=', 'lst-2', 'c'],
    ['ref_id', 'is_null', undefined, 'd'],
    ['ref_id', 'starts_with', 'ref-', 'ecba'],
    ['ref_id', 'starts_with', 'ref_', ''],
    ['ref_id', '!=', 'ref-a', 'edcb'],
    ['transaction_id', 'starts_with', 'tx-', 'dcba'],
    ['transaction_id', 'in', ['tx-a', 'tx-c'], 'ca'],
    ['tracking_number', '=', '1Z-999', 'e'],
    ['tracking_number', 'is_null', true, 'dcba'],
    ['card_last4', '=', '1111', 'e'],
    ['due_at', 'is_null', false, 'c'],
    ['due_at', '<', '2099-01-01', 'c'],
    ['due_at', '!=', '2099-01-01', 'edcba'],
    ['placed_at', '>', '2026-01-01', 'edcba'],
    ['updated_at', '<', '2026-01-01', ''],
    ['quantity', '<=', 2, 'edcba'],
    ['total', '=', 254.6, 'e'],
    ['total', '<', 254.6, 'dcba'],
    ['email', '=', ' grace.hopper@EXAMPLE.com', 'b'],
    ['email', 'in', ['gracehopper@example.com', 'nobody@example.com'], 'b'],
    ['email', 'is_null', true, 'd'],
    ['phone', '=', '+1 (212) 555-0100', 'eca'],
    ['phone', '=', '5550199', 'e'],
    ['phone', '=', '-', ''],
    ['last_name', '=', 'obrien', 'e'],
    ['last_name', '=', 'LOVELACE', 'e'],
    ['last_name', 'is_null', true, 'dcba'],
    ['assignee', 'is_null', true, 'edcba'],
    ['tag', '=', 'vip', 'a'],
    ['tag', 'in', ['late', 'vip'], 'a'],
    ['has', '=', 'parked_ping', 'c'],
    ['has', '=', 'note', 'a'],
    ['has', '=', 'replacement', 'b'],
    ['has', '=', 'refund', ''],
    ['seller', 'is_null', true, 'edcba'],
  ])('by %s %s %j gives "%s"', async (field, op, value, expected) => {
    expect(await found(field, op, value)).toBe(expected);
    // The complement includes orders without a value.
    expect(await names({ where: { not: { field, op, value } } })).toBe(
      'edcba'
        .split('')
        .filter((name) => !expected.includes(name))
        .join(''),
    );
  });

  it('by conditions inside each other', async () => {
    const is = (field: string, value: unknown) => ({ field, op: '=', value });
    const where = { and: [{ or: [is('status', 'confirmed'), is('tag', 'none')] }, { not: is('ref_id', 'ref-a') }] };
    expect(await names({ where })).toBe('e');
    expect(await names({ where: { and: [is('last_name', 'lovelace'), is('status', 'rejected')] } })).toBe('');
  });

  it('counts an order as overdue from its deadline on', async () => {
    await api.pool.query(`update orders set due_at = '2020-01-01' where id = $1`, [ids['c']]);
    expect(await found('queue', '=', 'overdue')).toBe('c');
    expect(await found('queue', '=', 'to_confirm')).toBe('');
    expect(await found('queue', '!=', 'overdue')).toBe('edba');
  });

  it.each([
    ['ref-', 'ecba'],
    ['ref-a', 'a'],
    ['tx-b', 'b'],
    ['1Z-9', 'e'],
    ['ord_', 'edcba'],
    ['%25', ''],
    ['grace.hopper@example.com', 'b'],
    ['grace.hopper@', ''],
    ['+44 20 7946 0000', 'b'],
    ["o'brien", 'e'],
    ['lovel', ''],
  ])('by what a caller says, "%s", gives "%s"', async (q, expected) => {
    expect(await names({ q })).toBe(expected);
  });

  it('takes q and conditions together', async () => {
    expect(await names({ q: 'ref-', where: { field: 'status', op: '=', value: 'confirmed' } })).toBe('ea');
  });

  it.each([
    'placed_at.desc',
    'placed_at.asc',
    'updated_at.desc',
    'updated_at.asc',
    'total.desc',
    'total.asc',
    'due_at.asc',
  ])('gives every order once, page by page, sorted by %s', async (sort) => {
    const body = {
      sort,
      where: { field: 'status', op: 'in', value: ['confirmed', 'exception', 'pending', 'rejected'] },
    };
    const all = await names(body);
    let walked = '';
    for (let cursor: string | null | undefined; cursor !== null;) {
      const answer = await search({ ...body, limit: 2, ...(cursor && { cursor }) });
      expect(answer.status, answer.text).toBe(200);
      const page = OrderList.parse(answer.body);
      walked += page.orders.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).join('');
      cursor = page.next_cursor;
    }
    expect(walked.split('').toSorted().join('')).toBe('abcde');
    expect(walked).toBe(all);
    if (sort === 'due_at.asc') expect(walked[0]).toBe('c');
  });

  it('refuses the cursor of another question', async () => {
    const { next_cursor: cursor } = OrderList.parse((await search({ limit: 1 })).body);
    expect((await search({ limit: 3, cursor })).status).toBe(200);
    for (const other of [{ q: 'ref-' }, { sort: 'placed_at.asc' }, { where: { field: 'id', op: '!=', value: 'x' } }]) {
      const answer = await search({ ...other, cursor });
      expect(codesOf(answer)).toEqual([40001]);
      expect(messagesOf(answer)[0]).toContain('cursor');
    }
  });

  it.each<[Json, string]>([
    [{ where: { and: [{ field: 'id', op: 'like', value: 'x' }] } }, 'where.and[0].op'],
    [{ q: 'a' }, 'q'],
    [{ q: ' 7 ' }, 'q'],
    [{ q: 'é' }, 'q'],
    [{ limit: 201 }, 'limit'],
    [{ sort: 'colour' }, 'sort'],
    [{ colour: 'red' }, 'colour'],
    [{ cursor: 'x' }, 'cursor'],
  ])('that is %j is refused by the name of %s', async (body, field) => {
    const answer = await search(body);
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(field);
  });
});

describe('a caller without orders:act', () => {
  let reader: (body: Json) => Promise<Answer>;
  beforeAll(async () => {
    const { body } = await api.staff.send('POST', 'tokens', { name: 'reader', scopes: ['orders:read'] });
    const authorization = `Bearer ${(body as { token: string }).token}`;
    reader = (sent) => call(`${api.url}/backoffice/v1/orders/search`, 'POST', sent, { authorization });
  });

  it.each(['email', 'phone', 'last_name'])('cannot search by %s anywhere in a condition', async (field) => {
    const condition = { field, op: 'is_null' };
    for (const where of [condition, { or: [{ not: condition }] }]) {
      const answer = await reader({ where });
      expect([answer.status, ...codesOf(answer)]).toEqual([403, 40300]);
    }
  });

  it('finds no buyer by q, but the orders', async () => {
    expect(((await reader({ q: 'lovelace' })).body as OrderList).orders).toEqual([]);
    expect(((await reader({ q: 'ada@example.com' })).body as OrderList).orders).toEqual([]);
    expect(((await reader({ q: 'ref-a' })).body as OrderList).orders).toHaveLength(1);
  });
});

describe('after the erasure of the personal data', () => {
  it('no order is found by its buyer', async () => {
    expect(await found('last_name', '=', 'lovelace')).toBe('e');
    expect((await api.staff.send('DELETE', `orders/${idOf('e')}/personal-data`)).status).toBe(200);
    for (const q of ['lovelace', "o'brien", '555-0199', 'ada@example.com'])
      expect(await names({ q })).not.toContain('e');
    expect(await found('last_name', '=', 'lovelace')).toBe('');
    expect(await found('phone', '=', '5550199')).toBe('');
    expect(await found('email', 'in', ['ada@example.com'])).not.toContain('e');
    expect(await found('last_name', 'is_null')).toContain('e');
  });
});
