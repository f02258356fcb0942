import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderList } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { checkoutListing } from '../../../../test/support/listing-body.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
let support: SignedIn;
let broker: SignedIn;
let viewer: SignedIn;
/** The order that is meant, and another one that shares nothing with it. */
let ada: string;
let other: string;

const put = async (path: string, body: object) => {
  const { status, text } = await api.staff.send('PUT', `catalogue/${path}`, body);
  expect(status, text).toBe(200);
};

beforeAll(async () => {
  api = await startTestApi();
  [support, broker, viewer] = await Promise.all([
    signIn(api, ['support']),
    signIn(api, ['broker'], ['Acme']),
    signIn(api, ['viewer']),
  ]);
  const show = { datetime_local: '2027-12-04T20:00:00', datetime_utc: '2027-12-05T01:00:00', venue: { id: 9001 } };
  await put('venues/9001', { name: 'Hall', city: 'New York', state: 'NY', country: 'US' });
  await put('events/5512', { ...show, title: 'Beyoncé: The Renaissance Tour' });
  await put('events/77', { ...show, title: 'Hamilton' });
  const seats = ['7', '8', 'A-9'];
  const place = { section: 'Section 104', row: 'C', seats, quantity: 2, seller: 'Acme' };
  await api.staff.putListing('lst-spoken', checkoutListing(place));
  await api.staff.putListing('else-1', checkoutListing({ event_id: '77', section: 'Floor', row: 'AA', seats: ['1'] }));
  ada = await api.payment.bought(
    broken(cardBody(), {
      'product.listing_id': 'lst-spoken',
      'user.email': 'ada.lovelace@example.com',
      'payment.data.card_number': '5555555555554444',
      ref_id: 'SG-77AB',
    }),
  );
  other = await api.payment.bought(
    broken(cardBody(), {
      'product.listing_id': 'else-1',
      'product.event_id': '77',
      'product.quantity': 1,
      'payment.total': 134.83,
      'user.email': 'grace@example.org',
      'user.phone': '+1 415 555 0199',
      'payment.data.first_name': 'Grace',
      'payment.data.last_name': 'Hopper',
      'delivery_method.data': { ...cardBody().delivery_method.data, first_name: 'Grace', last_name: 'Hopper', phone: '' },
      ref_id: 'other',
    }),
  );
});
afterAll(() => api.close());

async function found(q: string, by: Pick<SignedIn, 'send'> = support): Promise<string[]> {
  const { status, body, text } = await by.send('POST', 'orders/search', { q });
  expect(status, text).toBe(200);
  return OrderList.parse(body).orders.map(({ id }) => id);
}

/** What `{id}`, `{end}` and `{start}` stand for is known only now. */
const asked = (text: string) =>
  text.replace('{id}', ada).replace('{start}', ada.slice(0, 20)).replace('{end}', ada.slice(-6));

const TEXTS = [
  '{id}',
  '{start}',
  '{end}',
  '…{end}',
  'ord_01…{end}',
  'SG-77AB',
  'sg-77',
  'lst-spoken',
  'lst-sp',
  '5512',
  '4444',
  'Beyonce',
  'beyoncé renaiss',
  'renaissance tour',
  '104 C',
  'section 104, row C',
  'Sec 104',
  '104 c 7',
  'Section 104 Row C Seat 8',
  'row C seat 7',
  'a-9',
];

const BUYERS = [
  ['ada.lovelace@example.com', 'broker'],
  ['212 555 0100', 'broker'],
  ['+1 (212) 555-0100', 'broker'],
  ['ada.', 'staff'],
  ['adal', 'staff'],
  ['ada.love', 'staff'],
  ['ADA.LOVELACE', 'staff'],
  ['Ada Lovelace', 'staff'],
  ['lovelace, ada', 'staff'],
  ['Lovelace', 'staff'],
] as const;

const NOT = [
  '444',
  '14444',
  '104 D',
  '1045',
  '104 C 9',
  'row D seat 7',
  'Renaissance Tower',
  'ad',
  'ada.lovelaces',
  'lovelac',
  'da.love',
  'Ada Love',
  'example.com',
  '555 0100',
];

describe('a search by q', () => {
  it.each(TEXTS)('finds the order by %s, for everybody who sees it', async (q) => {
    for (const by of [support, broker, viewer]) expect(await found(asked(q), by)).toEqual([ada]);
  });

  it.each(BUYERS)('finds the order of its buyer by %s (%s)', async (q, by) => {
    expect(await found(q)).toEqual([ada]);
    expect(await found(q, broker)).toEqual(by === 'broker' ? [ada] : []);
    expect(await found(q, viewer)).toEqual([]);
  });

  it.each(NOT)('does not find it by %s', async (q) => {
    expect(await found(q)).not.toContain(ada);
  });

  it('finds a corrected address, no longer the wrong one, and nothing after an erasure', async () => {
    const to = (email: string) => api.staff.send('PATCH', `orders/${other}/buyer`, { email });
    expect(await found('grace')).toEqual([other]);
    expect((await to('hopper.g@example.org')).status).toBe(200);
    expect(await found('hopper.g')).toEqual([other]);
    expect(await found('hoppe')).toEqual([other]);
    expect((await api.staff.send('DELETE', `orders/${other}/personal-data`)).status).toBeLessThan(300);
    for (const q of ['hopper.g', 'grace hopper', 'grace']) expect(await found(q), q).toEqual([]);
  });
});
