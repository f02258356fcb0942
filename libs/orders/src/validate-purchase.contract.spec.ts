import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cardBody, tokenBody, VALID_CARD_NUMBER, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { broken, type Json } from '../../../test/support/broken.js';
import { errorBody } from '#web/error-body.contract';
import { validatePurchase, type ValidPurchase, type Variant } from './validate-purchase.contract.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function accepted(variant: Variant, body: unknown): ValidPurchase {
  const result = validatePurchase(variant, body, NOW);
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.purchase;
}

function paid(body: unknown) {
  const purchase = accepted('payment', body);
  if (purchase.variant !== 'payment') throw new Error('not of the payment variant');
  return purchase;
}

function issues(variant: Variant, body: unknown): string[] {
  const result = validatePurchase(variant, body, NOW);
  return 'issues' in result ? result.issues.map(({ code, field }) => `${code} ${field}`) : [];
}

const card = (changes: Json) => issues('payment', broken(cardBody(), changes));
const wholesale = (changes: Json) => issues('wholesale', broken(wholesaleBody(), changes));

describe('a valid purchase', () => {
  it('is read in the wholesale variant', () => {
    expect(accepted('wholesale', wholesaleBody())).toEqual({
      variant: 'wholesale',
      product: { event_id: '5512', listing_id: 'lst-1', quantity: 2 },
      total_cents: 18_002,
      user: wholesaleBody().user,
      ref_id: 'ref-1',
      trusted: false,
      market_specific_fields: { campaign: 'spring' },
    });
  });

  it('is read with a card', () => {
    const purchase = paid(cardBody());
    expect(purchase).toMatchObject({
      variant: 'payment',
      product: { event_id: '5512', listing_id: 'lst-1', quantity: 2 },
      total_cents: 25_460,
      payment: {
        type: 'creditcard',
        summary: { type: 'creditcard', brand: 'visa', last_four: '1111', expiry_month: 12, expiry_year: 2039 },
        billing: { first_name: 'Ada', state: 'NY', zip: '10001', country: 'US' },
      },
      delivery_method: { type: 'ship', data: cardBody().delivery_method.data },
    });
    if (purchase.payment.type !== 'creditcard') throw new Error('not a card');
    expect(purchase.payment.card.reveal()).toEqual({
      number: VALID_CARD_NUMBER,
      expiryMonth: 12,
      expiryYear: 2039,
      cvv: '123',
    });
  });

  it.each(['providera_token', 'providerb_token'] as const)('is read, with a %s', (type) => {
    const { payment } = paid(tokenBody(type));
    expect(payment).toMatchObject({ type, summary: { type, brand: null, last_four: null } });
    if (payment.type === 'creditcard') throw new Error('not a token');
    expect(payment.token.reveal()).toBe('tok_1');
  });

  it('may omit optional fields, or send null', () => {
    const { product } = wholesaleBody();
    const bare = { user: null, ref_id: null, trusted: false, market_specific_fields: null };
    expect(accepted('wholesale', { product })).toMatchObject(bare);
    expect(accepted('wholesale', { product, user: null, ref_id: null, market_specific_fields: null })).toMatchObject(
      bare,
    );
    expect(accepted('wholesale', { product, user: { email: null, location: {} } }).user).toEqual({ location: {} });
  });

  it('may contain unknown keys', () => {
    expect(accepted('wholesale', { ...wholesaleBody(), payment: 7, more: [] })).toEqual(
      accepted('wholesale', wholesaleBody()),
    );
  });

  it('keeps the fields of the market unchanged', () => {
    const fields = JSON.parse('{"__proto__":{"a":1},"b":[1,{"c":null}]}') as unknown;
    const purchase = accepted('wholesale', { ...wholesaleBody(), market_specific_fields: fields });
    expect(JSON.stringify(purchase.market_specific_fields)).toBe('{"__proto__":{"a":1},"b":[1,{"c":null}]}');
  });

  it('keeps ref_id unchanged', () => {
    expect(accepted('wholesale', { ...wholesaleBody(), ref_id: ' Ünï/% 1\t' }).ref_id).toBe(' Ünï/% 1\t');
    expect(accepted('wholesale', { ...wholesaleBody(), ref_id: 'x'.repeat(255) }).ref_id).toHaveLength(255);
  });

  it.each([
    ...[true, 'true', '1', 1].map((value) => [value, true] as const),
    ...[false, 'false', '0', 0, 'TRUE', 'yes', 2, null, {}, [true], undefined].map((value) => [value, false] as const),
  ])('with is_trusted_user %j has trusted: %s', (is_trusted_user, trusted) => {
    expect(accepted('payment', { ...cardBody(), is_trusted_user }).trusted).toBe(trusted);
  });

  it('converts countries and states to their codes', () => {
    const body = broken(cardBody(), { 'payment.data.country': 'usa', 'payment.data.state': 'ny' });
    expect(paid(body).payment.billing).toMatchObject({ country: 'US', state: 'NY' });
  });

  it('has no state and ZIP code in countries without them', () => {
    const abroad = { country: 'HK', state: undefined, zip: undefined };
    const body = cardBody();
    Object.assign(body.payment.data, abroad);
    Object.assign(body.delivery_method.data, abroad, { phone: '' });
    expect(paid(body).payment.billing).not.toHaveProperty('state');
  });

  it.each([
    ['download', undefined, {}],
    ['download', null, {}],
    ['download', { email: '' }, {}],
    ['download', { email: 'a@b.example' }, { email: 'a@b.example' }],
    ['download', { email: ' a@b.example\n' }, { email: 'a@b.example' }],
    ['download', { email: ' ' }, {}],
    ['transfer', { email: 'a@b.example', more: 1 }, { email: 'a@b.example' }],
    ['transfer', { email: '\u00a0a@b.example ' }, { email: 'a@b.example' }],
    ['will_call', { first_name: 'A', last_name: 'B' }, { first_name: 'A', last_name: 'B' }],
    ['will_call', { first_name: 'Sukarno', last_name: '' }, { first_name: 'Sukarno', last_name: '' }],
  ])('has delivery %s with %j', (type, data, read) => {
    expect(paid({ ...cardBody(), delivery_method: { type, data } }).delivery_method).toEqual({ type, data: read });
  });

  it.each([0, 0.01, 180.02, 3 * 1.1, 1e6])('may cost %d', (total) => {
    expect(wholesale({ 'product.total': total })).toEqual([]);
  });
});

describe('each invalid field has its own code', () => {
  it.each<[Json, string]>([
    [{ product: undefined }, '40001 product'],
    [{ product: [] }, '40001 product'],
    [{ 'product.event_id': undefined }, '40001 product.event_id'],
    [{ 'product.event_id': 5512 }, '40001 product.event_id'],
    [{ 'product.event_id': '' }, '40001 product.event_id'],
    [{ 'product.listing_id': undefined }, '40012 product.listing_id'],
    [{ 'product.listing_id': 7 }, '40012 product.listing_id'],
    [{ 'product.listing_id': 'x'.repeat(256) }, '40012 product.listing_id'],
    [{ 'product.listing_id': 'a\0b' }, '40012 product.listing_id'],
    ...[undefined, null, 0, -1, 1.5, '2', [2], Infinity, 2 ** 31, true].map((quantity): [Json, string] => [
      { 'product.quantity': quantity },
      '40009 product.quantity',
    ]),
    ...[undefined, null, -0.01, '180.02', 180.025, Infinity, 1e300, {}].map((total): [Json, string] => [
      { 'product.total': total },
      '40026 product.total',
    ]),
    [{ user: 'ada' }, '40001 user'],
    [{ user: [] }, '40001 user'],
    [{ 'user.email': 7 }, '40001 user.email'],
    [{ 'user.phone': {} }, '40001 user.phone'],
    [{ 'user.ip_address': true }, '40001 user.ip_address'],
    [{ 'user.location': 'here' }, '40001 user.location'],
    [{ 'user.location.lat': '40.7' }, '40001 user.location.lat'],
    [{ 'user.location.lon': Infinity }, '40001 user.location.lon'],
    [{ ref_id: 7 }, '40001 ref_id'],
    [{ ref_id: '' }, '40001 ref_id'],
    [{ ref_id: 'x'.repeat(256) }, '40001 ref_id'],
    [{ ref_id: '\ud800' }, '40001 ref_id'],
    [{ market_specific_fields: 'x' }, '40001 market_specific_fields'],
    [{ market_specific_fields: { a: 'x'.repeat(70_000) } }, '40001 market_specific_fields'],
    [{ market_specific_fields: { a: Infinity } }, '40001 market_specific_fields'],
    [{ market_specific_fields: { 'a\0': 1 } }, '40001 market_specific_fields'],
    [{ market_specific_fields: { a: ['\udfff'] } }, '40001 market_specific_fields'],
  ])('%j (wholesale)', (changes, error) => expect(wholesale(changes)).toEqual([error]));

  it.each<[Json, string]>([
    [{ payment: undefined }, '40001 payment'],
    [{ 'payment.total': undefined }, '40026 payment.total'],
    [{ 'payment.type': 'cash' }, '40001 payment.type'],
    [{ 'payment.type': ['creditcard'] }, '40001 payment.type'],
    [{ 'payment.data': undefined }, '40001 payment.data'],
    [{ 'payment.data.card_number': undefined }, '40017 payment.data.card_number'],
    [{ 'payment.data.card_number': '4111111111111112' }, '40017 payment.data.card_number'],
    [{ 'payment.data.card_number': 4111111111111111 }, '40017 payment.data.card_number'],
    [{ 'payment.data.cvv': '12' }, '40035 payment.data.cvv'],
    [{ 'payment.data.cvv': '1234' }, '40035 payment.data.cvv'],
    [{ 'payment.data.cvv': 123 }, '40035 payment.data.cvv'],
    [{ 'payment.data.cvv': '123', 'payment.data.card_number': '378282246310005' }, '40035 payment.data.cvv'],
    [{ 'payment.data.expiry_month': '13' }, '40039 payment.data.expiry_month'],
    [{ 'payment.data.expiry_year': undefined }, '40039 payment.data.expiry_year'],
    [{ 'payment.data.first_name': '' }, '40001 payment.data.first_name'],
    [{ 'payment.data.last_name': 7 }, '40001 payment.data.last_name'],
    [{ 'payment.data.address1': ' ' }, '40038 payment.data.address1'],
    [{ 'payment.data.address2': 7 }, '40038 payment.data.address2'],
    [{ 'payment.data.city': undefined }, '40038 payment.data.city'],
    [{ 'payment.data.country': 'XX' }, '40038 payment.data.country'],
    [{ 'payment.data.country': undefined }, '40038 payment.data.country'],
    [{ 'payment.data.state': 'ON' }, '40032 payment.data.state'],
    [{ 'payment.data.state': undefined }, '40032 payment.data.state'],
    [{ 'payment.data.state': 7 }, '40032 payment.data.state'],
    [{ 'payment.data.zip': '1000' }, '40024 payment.data.zip'],
    [{ 'payment.data.zip': 10001 }, '40024 payment.data.zip'],
    [{ 'payment.data.zip': undefined }, '40024 payment.data.zip'],
    [{ delivery_method: undefined }, '40001 delivery_method'],
    [{ 'delivery_method.type': 'pigeon' }, '40001 delivery_method.type'],
    [{ 'delivery_method.type': 'toString' }, '40001 delivery_method.type'],
    [{ 'delivery_method.data': undefined }, '40001 delivery_method.data'],
    [{ 'delivery_method.data.first_name': undefined }, '40034 delivery_method.data.first_name'],
    [{ 'delivery_method.data.first_name': ' ' }, '40034 delivery_method.data.first_name'],
    [{ 'delivery_method.data.last_name': undefined }, '40034 delivery_method.data.last_name'],
    [{ 'payment.data.last_name': null }, '40001 payment.data.last_name'],
    [{ 'delivery_method.data.address1': 7 }, '40034 delivery_method.data.address1'],
    [{ 'delivery_method.data.city': undefined }, '40034 delivery_method.data.city'],
    [{ 'delivery_method.data.country': 'Narnia' }, '40034 delivery_method.data.country'],
    [{ 'delivery_method.data.phone': undefined }, '40034 delivery_method.data.phone'],
    [{ 'delivery_method.data.state': 'XX' }, '40033 delivery_method.data.state'],
    [{ 'delivery_method.data.zip': 'nowhere' }, '40024 delivery_method.data.zip'],
    [{ delivery_method: { type: 'transfer', data: {} } }, '40001 delivery_method.data.email'],
    [{ delivery_method: { type: 'transfer', data: { email: 'ada' } } }, '40001 delivery_method.data.email'],
    [{ delivery_method: { type: 'download', data: { email: 'a b@c' } } }, '40001 delivery_method.data.email'],
    [
      { delivery_method: { type: 'transfer', data: { email: 'ada@example.com.' } } },
      '40001 delivery_method.data.email',
    ],
    [{ user: { email: 'Ada<ada@example.com>' } }, '40001 user.email'],
    [{ delivery_method: { type: 'will_call', data: { first_name: 'A' } } }, '40001 delivery_method.data.last_name'],
  ])('%j (card)', (changes, error) => expect(card(changes)).toEqual([error]));

  it('a token is missing or too long', () => {
    const error = ['40001 payment.data.token'];
    expect(issues('payment', broken(tokenBody(), { 'payment.data.token': undefined }))).toEqual(error);
    expect(issues('payment', broken(tokenBody(), { 'payment.data.token': 'x'.repeat(2049) }))).toEqual(error);
  });

  it('a card has expired with its month', () => {
    const error = ['40039 payment.data.expiry_month', '40039 payment.data.expiry_year'];
    expect(card({ 'payment.data.expiry_month': '10', 'payment.data.expiry_year': '26' })).toEqual(error);
    expect(card({ 'payment.data.expiry_month': '11', 'payment.data.expiry_year': '26' })).toEqual([]);
  });

  it.each([undefined, null, 'x', 7, true, [[]], []])('the body is %j', (body) => {
    expect(issues('wholesale', body)).toEqual(['40001 body']);
  });
});

describe('several invalid fields', () => {
  it('are reported together, each code once, in the order of the table', () => {
    const result = validatePurchase(
      'payment',
      {
        product: { quantity: 0 },
        ref_id: 7,
        payment: { total: -1, type: 'creditcard', data: { cvv: '1', country: 'US', state: 'XX', zip: 'x' } },
        delivery_method: { type: 'ship', data: { country: 'CA', state: 'NY', zip: '1' } },
      },
      NOW,
    );
    if (!('issues' in result)) throw new Error('accepted');
    const { errors } = errorBody(result.issues);
    expect(errors.map(({ code }) => code)).toEqual([
      40001, 40009, 40012, 40017, 40024, 40026, 40032, 40033, 40034, 40035, 40038, 40039,
    ]);
    expect(errors.find(({ code }) => code === 40024)?.message).toBe(
      'Invalid zip code: payment.data.zip, delivery_method.data.zip',
    );
  });
});

describe('the fields of one code', () => {
  const message = (variant: Variant, body: unknown, code: number) => {
    const result = validatePurchase(variant, body, NOW);
    if (!('issues' in result)) throw new Error('accepted');
    return errorBody(result.issues).errors.find((error) => error.code === code)?.message;
  };

  it('are named in a fixed order: a product without an event last, a location before the rest of the user', () => {
    const body = {
      ref_id: '',
      market_specific_fields: 1,
      product: { listing_id: 'lst-1' },
      user: { email: 1, location: 'here' },
      payment: { type: 'creditcard', data: { last_name: 1 } },
      delivery_method: { type: 'transfer', data: {} },
    };
    expect(message('payment', body, 40001)).toBe(
      'Missing or invalid field: payment.data.first_name, payment.data.last_name, delivery_method.data.email, user.location, ' +
        'user.email, ref_id, market_specific_fields, product.event_id',
    );
    expect(message('payment', {}, 40001)).toBe('Missing or invalid field: product, payment, delivery_method');
    expect(message('wholesale', { user: [] }, 40001)).toBe('Missing or invalid field: product, user');
  });

  it('start with the second line of an address', () => {
    const data = { address2: 1, country: 'XX', phone: null };
    const body = { ...cardBody(), delivery_method: { type: 'ship', data } };
    expect(message('payment', body, 40034)).toBe(
      'Invalid shipping address: delivery_method.data.address2, delivery_method.data.first_name, ' +
        'delivery_method.data.last_name, delivery_method.data.address1, delivery_method.data.city, ' +
        'delivery_method.data.country, delivery_method.data.phone',
    );
  });

  it('of a payment of an unknown type are its total and its data too', () => {
    const body = { ...cardBody(), payment: { type: 'cash', total: -1 } };
    expect(issues('payment', body)).toEqual(['40001 payment.type', '40026 payment.total', '40001 payment.data']);
  });

  it('are all named, also when a rule over several fields is broken', () => {
    const broken3 = { 'payment.data.first_name': 7, 'payment.data.state': 'ON', 'payment.data.zip': 'x' };
    expect(card({ ...broken3, 'payment.data.cvv': '1234', 'payment.data.expiry_year': '2001' }).toSorted()).toEqual([
      '40001 payment.data.first_name',
      '40024 payment.data.zip',
      '40032 payment.data.state',
      '40035 payment.data.cvv',
      '40039 payment.data.expiry_month',
      '40039 payment.data.expiry_year',
    ]);
  });
});

describe('the valid parts of an invalid purchase', () => {
  const SOUND = {
    product: { listing_id: 'lst-1', event_id: '5512', quantity: 2 },
    total_cents: 18_002,
    ref_id: 'ref-1',
  };
  const sound = (variant: Variant, body: unknown) => {
    const result = validatePurchase(variant, body, NOW);
    return 'issues' in result ? result.valid : undefined;
  };

  it('are available for checks against the listing', () => {
    const body = broken(cardBody(), { 'payment.data.cvv': '1' });
    expect(sound('payment', body)).toEqual({
      product: { listing_id: 'lst-1', event_id: '5512', quantity: 2 },
      total_cents: 25_460,
      delivery: { type: 'ship', data: { country: 'US', state: 'NY' } },
      ref_id: 'ref-1',
    });
    expect(sound('wholesale', broken(wholesaleBody(), { ref_id: 7 }))).toEqual({
      product: { listing_id: 'lst-1', event_id: '5512', quantity: 2 },
      total_cents: 18_002,
    });
  });

  it.each<[Json, Json]>([
    [{ 'product.quantity': 0 }, { ...SOUND, product: { listing_id: 'lst-1', event_id: '5512' } }],
    [{ 'product.event_id': 7 }, { ...SOUND, product: { listing_id: 'lst-1', quantity: 2 } }],
    [{ 'product.total': '1' }, { product: { listing_id: 'lst-1', event_id: '5512', quantity: 2 }, ref_id: 'ref-1' }],
    [
      { user: 7, ref_id: undefined },
      { ...SOUND, ref_id: null },
    ],
    [{ 'product.listing_id': '' }, {}],
    [{ product: 7 }, {}],
  ])('leave out the invalid ones: %j', (changes, expected) => {
    expect(sound('wholesale', broken(wholesaleBody(), changes))).toEqual(expected);
  });

  it('have no delivery to an invalid place, but one with only a place', () => {
    for (const path of ['type', 'data', 'data.country', 'data.state']) {
      const body = broken(cardBody(), { [`delivery_method.${path}`]: 'x' });
      expect(sound('payment', body)?.delivery, path).toBe(undefined);
    }
    expect(sound('payment', broken(cardBody(), { 'delivery_method.data.zip': 'x' }))?.delivery).toBeDefined();
    expect(sound('payment', broken(cardBody(), { payment: 7 }))?.total_cents).toBe(undefined);
  });

  it('contain no card data', () => {
    expect(JSON.stringify(sound('payment', broken(cardBody(), { ref_id: 7 })))).not.toContain(VALID_CARD_NUMBER);
  });
});

describe('card data', () => {
  it('is wrapped in an accepted purchase', () => {
    const purchase = paid(cardBody());
    for (const text of [JSON.stringify(purchase), inspect(purchase, { depth: null, showHidden: true })]) {
      expect(text).toContain('[card]');
      expect(text).not.toMatch(new RegExp(`${VALID_CARD_NUMBER}|"?cvv`));
    }
    expect(inspect(paid(tokenBody()), { depth: null })).not.toContain('tok_1');
  });

  it('is in no issue, whatever else is invalid', () => {
    const marked = {
      'payment.data.card_number': '4111111111119876',
      'payment.data.cvv': '98765',
      ref_id: '4111111111111111',
    };
    const result = validatePurchase('payment', broken(cardBody(), { ...marked, 'product.quantity': '41111' }), NOW);
    if (!('issues' in result)) throw new Error('accepted');
    const { ref_id: _, ...sound } = result.valid;
    expect(JSON.stringify([result.issues, sound, errorBody(result.issues)])).not.toMatch(/9876|4111/);
  });
});
