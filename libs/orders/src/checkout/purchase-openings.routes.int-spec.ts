import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingBody } from '#listings/listing.contract';
import type { OrderList } from '../order.contract.js';
import type { Purchase } from '../purchase.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;

beforeAll(async () => {
  // As a floating-point number, 256.10 * 100 is above 25610.
  api = await startTestApi({ REVIEW_TOTAL_FROM: '256.10' });
  const transferFor = (cost: number): ListingBody['delivery_methods'] => [{ type: 'transfer', name: 'Transfer', cost }];
  const manual = { confirmation: 'manual', confirm_within_minutes: 30 } as const;
  await api.staff.putListing('lst-1', { quantity: 1_000, delivery_methods: transferFor(25.1) });
  await api.staff.putListing('manual', { delivery_methods: transferFor(25.1), ...manual });
  await api.staff.putListing('cheap', { delivery_methods: transferFor(25.09) });
});
afterAll(() => api.close());

let count = 0;

/** The status codes of a card purchase. `lst-1` makes it 256.10, the total from which purchases are reviewed. */
async function historyOf(change: Json): Promise<number[]> {
  const delivery_method = { type: 'transfer', data: { email: 'ada@example.com' } };
  const ref_id = `ref-${(count += 1)}`;
  const body = broken(cardBody(), { ref_id, delivery_method, 'payment.total': 256.1, ...change });
  const answer = await api.payment.buy(body);
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as Purchase).status_history.map(({ status_code }) => status_code);
}

async function opening(change: Json): Promise<number> {
  const [first = 0, ...others] = await historyOf(change);
  expect(others).toEqual([]);
  return first;
}

describe('the first status of a purchase', () => {
  it('is held for review (1002) from the total REVIEW_TOTAL_FROM on', async () => {
    expect(await opening({})).toBe(1002);
    expect(await opening({ 'product.listing_id': 'cheap', 'payment.total': 256.09 })).toBe(2000);
    expect(await opening({ 'product.listing_id': 'manual' })).toBe(1002);
  });

  it.each([true, 'true', '1', 1])('confirmed (2000) when the user is trusted: %j', async (is_trusted_user) => {
    expect(await opening({ is_trusted_user })).toBe(2000);
  });

  it.each([false, 'false', 'TRUE', 'yes', '', 0, 2, null, undefined, [true], { trusted: true }])(
    'held for review when the user is not trusted: %j',
    async (is_trusted_user) => {
      expect(await opening({ is_trusted_user })).toBe(1002);
    },
  );

  it('is pending (1001) if the seller confirms manually, also for a trusted user', async () => {
    const change = { 'product.listing_id': 'manual', is_trusted_user: 'true' };
    expect(await opening(change)).toBe(1001);
    const { rows } = await api.pool.query<{ minutes: number }>(
      `select extract(epoch from due_at - placed_at)::int / 60 as minutes from orders where due_for = 'confirmation'`,
    );
    expect(rows).toEqual([{ minutes: 30 }]);
  });

  it('is pending if the seller does not have the tickets, whatever else is said, for a day or as the listing says', async () => {
    const speculative = { speculative: true, external_id: 'pos-7', confirmation: 'automatic' } as const;
    const accept = { name: 'All', action: 'accept', where: { field: 'speculative', op: '=', value: true } };
    await api.staff.send('PUT', 'policies', { policies: [accept] });
    const delivery = [{ type: 'transfer', name: 'Transfer', cost: 25.1 }] as const;
    await api.staff.putListing('later', { delivery_methods: [...delivery], ...speculative });
    const quick = { ...speculative, external_id: 'pos-8', confirm_within_minutes: 20 };
    await api.staff.putListing('soon', { delivery_methods: [...delivery], ...quick });
    for (const listing of ['later', 'soon']) {
      expect(await opening({ 'product.listing_id': listing, is_trusted_user: 'true' })).toBe(1001);
    }
    const found = async (field: string, op: string, value: unknown) => {
      const { body } = await api.staff.send('POST', 'orders/search', { where: { field, op, value } });
      return (body as OrderList).orders.map(({ product, external_id, speculative: is, placed_at, confirm_by }) => {
        const minutes = (Date.parse(confirm_by ?? '') - Date.parse(placed_at)) / 60_000;
        return [product.listing_id, external_id, is, Math.round(minutes)];
      });
    };
    const [soon, later] = [
      ['soon', 'pos-8', true, 20],
      ['later', 'pos-7', true, 1_440],
    ];
    expect(await found('speculative', '=', true)).toEqual([soon, later]);
    expect(await found('speculative', 'in', [true])).toEqual([soon, later]);
    expect(await found('external_id', '=', 'pos-7')).toEqual([later]);
    expect(await found('external_id', 'in', ['pos-7', 'pos-8'])).toEqual([soon, later]);
    expect((await found('speculative', '!=', true)).map(([listing]) => listing)).not.toContain('soon');
    await api.staff.send('PUT', 'policies', { policies: [{ ...accept, action: 'deny', reason: 'denied' }] });
    const denied = { 'product.listing_id': 'later', is_trusted_user: 'true' };
    expect(await historyOf(denied)).toEqual([1001, 3004]);
    await api.staff.send('PUT', 'policies', { policies: [] });
  });

  it('follows the same rules in the wholesale variant', async () => {
    const bought = async (change: Json) => {
      const answer = await api.wholesale.buy(broken(wholesaleBody(), { ref_id: `wh-${(count += 1)}`, ...change }));
      return (answer.body as Purchase).status;
    };
    expect(await bought({})).toMatchObject({ status_code: 2000 });
    const three = { 'product.quantity': 3, 'product.total': 270.03 };
    expect(await bought(three)).toMatchObject({ status: 'pending', status_code: 1002 });
    expect(await bought({ ...three, is_trusted_user: true })).toMatchObject({ status_code: 2000 });
    expect(await bought({ 'product.listing_id': 'manual' })).toEqual({
      status: 'pending',
      status_message: 'Pending confirmation',
      status_code: 1001,
    });
  });
});
