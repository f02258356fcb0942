import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderList } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
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
  const seats = ['7', 'A-8', '9'];
  const place = { section: 'Section 104', row: 'C', seats, quantity: 2, seller: 'Acme' };
  await api.staff.putListing('lst-spoken', checkoutListing(place));
  await api.staff.putListing('else-1', checkoutListing({ event_id: '77', section: 'Floor', row: 'AA', seats: ['1'] }));
  const buy = async (change: Json, transaction: string) => {
    const { body } = await api.payment.buy(broken(cardBody(), change), { 'x-xx-transaction-id': transaction });
    return (body as { id: string }).id;
  };
  ada = await buy(
    {
      'product.listing_id': 'lst-spoken',
      'user.email': 'ada.lovelace@example.com',
      'payment.data.card_number': '5555555555554444',
      ref_id: 'SG-77AB',
    },
    'tx-spoken-1',
  );
  const shipped = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z999AA10123456784' } };
  expect((await api.staff.send('POST', `orders/${ada}/fulfillment`, shipped)).status).toBe(200);
  other = await buy(
    {
      'product.listing_id': 'else-1',
      'product.event_id': '77',
      'product.quantity': 1,
      'payment.total': 134.83,
      'user.email': 'grace@example.org',
      'user.phone': '+1 415 555 0199',
      'payment.data.first_name': 'Grace',
      'payment.data.last_name': 'Hopper',
      'delivery_method.data': {
        ...cardBody().delivery_method.data,
        first_name: 'Grace',
        last_name: 'Hopper',
        phone: '',
      },
      ref_id: 'other',
    },
    'of-another',
  );
});
afterAll(() => api.close());

async function search(q: string, by: Pick<SignedIn, 'send'> = support): Promise<OrderList> {
  const { status, body, text } = await by.send('POST', 'orders/search', { q });
  expect(status, text).toBe(200);
  return OrderList.parse(body);
}

async function found(q: string, by: Pick<SignedIn, 'send'> = support): Promise<string[]> {
  return (await search(q, by)).orders.map(({ id }) => id);
}

/** Where a search met each order. */
const metBy = ({ orders }: OrderList) =>
  orders.map(({ id, matched = [] }) => [id, matched.map(({ field, part }) => `${field} ${part}`).join(', ')]);

/** What `{id}`, `{end}` and `{start}` stand for is known only now. */
const asked = (text: string) =>
  text.replace('{id}', ada).replace('{start}', ada.slice(0, 20)).replace('{end}', ada.slice(-6));

/** What is typed, and where and by which part it meets the order. */
const TEXTS = [
  ['{id}', 'id {id}'],
  ['{start}', 'id {start}'],
  ['{end}', 'id {end}'],
  ['…{end}', 'id {end}'],
  ['ord_01…{end}', 'id {end}'],
  ['SG-77AB', 'ref_id SG-77AB'],
  ['sg-77', 'ref_id SG-77'],
  ['tx-spoken-1', 'transaction_id tx-spoken-1'],
  ['TX-SPO', 'transaction_id tx-spo'],
  ['1z 999 aa1', 'tracking_number 1Z999AA1'],
  ['lst-spoken', 'listing_id lst-spoken'],
  ['lst-sp', 'listing_id lst-sp'],
  ['5512', 'event_id 5512'],
  ['4444', 'card_last4 4444'],
  ['Beyonce', 'show Beyoncé'],
  ['beyoncé renaiss', 'show Beyoncé, show Renaiss'],
  ['renaissance tour', 'show Renaissance, show Tour'],
  ['104 C', 'place Section 104 C'],
  ['section 104, row C', 'place Section 104 C'],
  ['Sec 104', 'place Section 104 C'],
  ['104 c 7', 'seat 7'],
  ['Section 104 Row C Seat A-8', 'seat A-8'],
  ['row C seat 7', 'seat 7'],
  ['a-8', 'seat A-8'],
] as const;

/** What is typed, who may ask so, where it meets the order, and the buyer as a person sees it. */
const BUYERS = [
  [
    'ada.lovelace@example.com',
    'broker',
    'email ada.lovelace@example.com',
    ['A•• L••', 'ada.lovelace@example.com', '••00'],
  ],
  ['212 555 0100', 'broker', 'phone +1 212 555 0100', ['A•• L••', 'a••@example.com', '+1 212 555 0100']],
  ['+1 (212) 555-0100', 'broker', 'phone +1 212 555 0100', ['A•• L••', 'a••@example.com', '+1 212 555 0100']],
  ['ada.', 'staff', 'email ada, name Ada', ['Ada L••', 'ada••@example.com', '••00']],
  ['adal', 'staff', 'email ada.l', ['A•• L••', 'ada.l••@example.com', '••00']],
  ['ADA.LOVELACE', 'staff', 'email ada.lovelace', ['A•• L••', 'ada.lovelace@example.com', '••00']],
  ['Ada Lovelace', 'staff', 'name Ada Lovelace', ['Ada Lovelace', 'a••@example.com', '••00']],
  ['lovelace, ada', 'staff', 'name Ada Lovelace', ['Ada Lovelace', 'a••@example.com', '••00']],
  ['Lovelace', 'staff', 'name Lovelace', ['A•• Lovelace', 'a••@example.com', '••00']],
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
  it.each(TEXTS)('finds the order by %s, for everybody who sees it: %s', async (q, met) => {
    for (const by of [support, broker, viewer]) {
      expect(metBy(await search(asked(q), by))).toEqual([[ada, asked(met)]]);
    }
  });

  it.each(BUYERS)('finds the order of its buyer by %s (%s): %s', async (q, by, met, [name, email, phone]) => {
    const answer = await search(q);
    expect(metBy(answer)).toEqual([[ada, met]]);
    expect(answer.orders).toMatchObject([
      { contact: { name, email, phone }, section: 'Section 104', row: 'C', seller: 'Acme' },
    ]);
    expect(await found(q, broker)).toEqual(by === 'broker' ? [ada] : []);
    expect(await found(q, viewer)).toEqual([]);
  });

  it.each([
    ['Lovelace', 'ref_id transaction_id tracking_number', 'show', 'email name'],
    ['4444', 'ref_id transaction_id tracking_number', 'event_id card_last4 show place seat', 'email phone'],
  ])('says what %s was compared with', async (q, ids, more, people) => {
    const said = [ids, 'listing_id event_id', more].join(' ').split(' ');
    expect(new Set((await search(q)).searched)).toEqual(new Set([...said, ...people.split(' ')]));
    expect(new Set((await search(q, viewer)).searched)).toEqual(new Set(said));
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
