import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { authorization, call, codesOf, messagesOf, PAYMENT } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

const DECLINED_CARD = '4000000000000002';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1');
  await api.staff.putListing('empty', { quantity: 0 });
  await api.staff.putListing('pairs', { split_rule: 'pairs' });
  await api.payment.bought(broken(cardBody(), { ref_id: 'taken' }));
  await api.wholesale.bought(broken(wholesaleBody(), { ref_id: 'taken' }));
});
afterAll(() => api.close());

/** The codes of the rejection of a card purchase with these changes. Nothing may change. */
async function refused(change: Json): Promise<number[]> {
  const before = await tableState(api.pool);
  const answer = await api.payment.buy(broken(cardBody(), change));
  expect(answer.status, answer.text).toBe(400);
  expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  return codesOf(answer);
}

describe('several errors of a purchase', () => {
  it('are returned together, each code once, in the order of the table, with all its fields', async () => {
    const change = {
      ref_id: '',
      user: 7,
      'product.listing_id': 'nope',
      'product.quantity': 0,
      'payment.total': 'much',
      'payment.data.card_number': '1',
      'payment.data.expiry_month': '0',
      'payment.data.cvv': 'abc',
      'payment.data.first_name': '',
      'payment.data.address1': '',
      'payment.data.city': '',
      'payment.data.state': 'ZZ',
      'payment.data.zip': 'x',
      'delivery_method.data.first_name': '',
      'delivery_method.data.state': 'ZZ',
      'delivery_method.data.zip': 'x',
    };
    const codes = [40001, 40009, 40012, 40017, 40024, 40026, 40032, 40033, 40034, 40035, 40038, 40039];
    expect(await refused(change)).toEqual(codes);
    const answer = await api.payment.buy(broken(cardBody(), change));
    expect(messagesOf(answer)).toEqual([
      'Missing or invalid field: payment.data.first_name, user, ref_id',
      'Invalid quantity: product.quantity',
      'Invalid listing id: product.listing_id',
      'Invalid credit card number: payment.data.card_number',
      'Invalid zip code: payment.data.zip, delivery_method.data.zip',
      'Invalid total: payment.total',
      'Invalid billing state: payment.data.state',
      'Invalid shipping state: delivery_method.data.state',
      'Invalid shipping address: delivery_method.data.first_name',
      'Invalid CVV: payment.data.cvv',
      'Invalid billing address: payment.data.address1, payment.data.city',
      'Invalid expiration date: payment.data.expiry_month',
    ]);
  });

  const badCvv = { 'payment.data.cvv': '' };
  it.each<[string, Json, number[]]>([
    ['of a field and of the listing', { ...badCvv, 'product.listing_id': 'empty' }, [40014, 40035]],
    ['of a field and of the quantity', { ...badCvv, 'product.quantity': 11 }, [40011, 40035]],
    ['of a field and of the total', { ...badCvv, 'payment.total': 1 }, [40026, 40035]],
    ['of the quantity alone, as a total for it is not known', { 'product.quantity': 0, 'payment.total': 1 }, [40009]],
    ['of the listing alone, which hides quantity and total', listingGone({ 'product.quantity': 11 }), [40014]],
    ['of the quantity before the total', { 'product.quantity': 11, 'payment.total': 1 }, [40011]],
    ['of the rule before the total', pairs({ 'product.quantity': 3, 'payment.total': 1 }), [40011]],
    ['of the event before what is left', listingGone({ 'product.event_id': '1' }), [40012]],
    [
      'of the state alone, on which the total depends',
      { 'delivery_method.data.state': '', 'payment.total': 1 },
      [40033],
    ],
    ['of an address and of the total', { 'delivery_method.data.zip': '', 'payment.total': 1 }, [40024, 40026]],
    ['of an address and of where it lies', { 'delivery_method.data.phone': 1, ...toFrance() }, [40034]],
    ['of the repetition before the total', { ref_id: 'taken', 'payment.total': 1 }, [40030]],
    ['of the repetition before the quantity', { ref_id: 'taken', 'product.quantity': 11 }, [40030]],
    ['of the repetition before the event', { ref_id: 'taken', 'product.event_id': '1' }, [40030]],
    ['of the repetition before the listing', listingGone({ ref_id: 'taken' }), [40030]],
    ['of the repetition before an unknown listing', { ref_id: 'taken', 'product.listing_id': 'nope' }, [40030]],
    [
      'of a field and of the repetition, not of the listing',
      listingGone({ ...badCvv, ref_id: 'taken' }),
      [40030, 40035],
    ],
    ['of a field before the repetition', { ...badCvv, ref_id: 'taken' }, [40035]],
    ['of the repetition before the payment', { ref_id: 'taken', 'payment.data.card_number': DECLINED_CARD }, [40030]],
    ['of the total before the payment', { 'payment.total': 1, 'payment.data.card_number': DECLINED_CARD }, [40026]],
  ])('are %s', async (_what, change, codes) => {
    expect(await refused({ ref_id: 'new', ...change })).toEqual(codes);
  });

  function listingGone(change: Json): Json {
    return { 'product.listing_id': 'empty', 'payment.total': 1, ...change };
  }

  function pairs(change: Json): Json {
    return { 'product.listing_id': 'pairs', ...change };
  }

  function toFrance(): Json {
    return { 'delivery_method.data.country': 'FR', 'delivery_method.data.zip': '75001' };
  }

  it('come after the signature, and errors of the fields after those of the JSON', async () => {
    const path = '/checkout/v1/purchases';
    const body = JSON.stringify(broken(cardBody(), { ref_id: 'taken', ...badCvv }));
    const unsigned = await call(`${api.url}${path}`, 'POST', body);
    expect(codesOf(unsigned)).toEqual([40100]);
    const cut = body.slice(0, -1);
    const headers = { authorization: authorization(PAYMENT, 'POST', path, cut) };
    expect(codesOf(await call(`${api.url}${path}`, 'POST', cut, headers))).toEqual([40000]);
  });

  it('contain only names that we know, never the sent values', async () => {
    const marked = 'MARKED-VALUE';
    const change: Record<string, unknown> = { [marked]: marked };
    for (const path of ['user', 'ref_id', 'product.quantity', 'payment.type', 'delivery_method.type']) {
      change[path] = path === 'ref_id' ? `${marked}\0` : marked;
    }
    const answer = await api.payment.buy(broken(cardBody(), change));
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(marked);
  });
});

describe('several errors of a wholesale purchase', () => {
  it('are returned together too', async () => {
    const change = { 'product.quantity': 'two', 'product.total': null, user: [], market_specific_fields: 1 };
    const answer = await api.wholesale.buy(broken(wholesaleBody(), change));
    expect(codesOf(answer)).toEqual([40001, 40009, 40026]);
  });

  it('do not include errors of a card', async () => {
    const answer = await api.wholesale.buy(broken(cardBody(), { 'payment.data.cvv': '', ref_id: 'wh' }));
    expect(codesOf(answer)).toEqual([40026]);
    const paid = await api.payment.buy(broken(wholesaleBody(), { ref_id: 'pay' }));
    expect(messagesOf(paid)).toEqual(['Missing or invalid field: payment, delivery_method']);
  });
});
