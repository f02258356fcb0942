import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import { Buyer, BuyerData } from '../buyer.contract.js';
import { OrderList } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { checkoutListing } from '../../../../test/support/listing-body.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
let support: SignedIn;
let broker: SignedIn;
const ids: string[] = [];

beforeAll(async () => {
  api = await startTestApi();
  [support, broker] = await Promise.all([signIn(api, ['support']), signIn(api, ['broker'], ['Acme'])]);
  await api.staff.putListing('lst-1', checkoutListing({ seller: 'Acme', quantity: 20 }));
  await api.staff.putListing('lst-2', checkoutListing({ quantity: 20 }));
  const wholesale = (change: Json) => api.wholesale.bought(broken(wholesaleBody(), change));
  ids.push(
    await api.payment.bought(broken(cardBody(), { ref_id: 'one' })),
    await wholesale({ ref_id: 'two', 'product.listing_id': 'lst-2', 'user.email': 'ADA@example.com' }),
    await wholesale({ ref_id: 'three', 'user.phone': '+1 415 555 0199' }),
    await wholesale({ ref_id: 'another', 'user.email': 'grace@example.com' }),
    await wholesale({ ref_id: 'nobody', user: undefined }),
  );
  await api.staff.changeStatus(ids[2] ?? '', 3001);
});
afterAll(() => api.close());

const read = async (id: string | undefined, by: Pick<SignedIn, 'get'> = support) =>
  Buyer.parse((await by.get(`buyers/${id}`)).body);
const ordersOf = async (id: string | undefined, by: Pick<SignedIn, 'get'> = support) =>
  OrderList.parse((await by.get(`buyers/${id}/orders`)).body).orders.map((order) => order.id);

it('is named by each of the orders, with the sums of all', async () => {
  for (const id of ids.slice(0, 3)) {
    expect((await ordersOf(id)).toSorted()).toEqual(ids.slice(0, 3).toSorted());
    expect(await read(id)).toMatchObject({
      known_by: 'email',
      personal_data_masked: true,
      orders: 3,
      rejected: 1,
      tickets: 4,
      total: 434.62,
      refunded: 0,
      disputes: 0,
    });
  }
  expect((await read(ids[0])).contact).toEqual({ name: 'A•• L••', email: 'a••@example.com', phone: '••00' });
});

it('has no other orders than one without an address', async () => {
  expect(await ordersOf(ids[4])).toEqual([ids[4]]);
  expect(await read(ids[4])).toMatchObject({ known_by: 'order', contact: null, orders: 1 });
});

it("shows a broker the orders of own sellers, and no other seller's order", async () => {
  expect(new Set(await ordersOf(ids[0], broker))).toEqual(new Set([ids[0], ids[2]]));
  expect((await broker.get(`buyers/${ids[1]}`)).status).toBe(404);
  expect((await support.get('buyers/ord_none/orders')).status).toBe(404);
  expect((await broker.get(`buyers/${ids[0]}/data`)).status).toBe(403);
});

it('gives all that is kept of the buyer, and says so in the audit log', async () => {
  await api.staff.send('POST', `orders/${ids[1]}/notes`, { text: 'Called.', visibility: 'internal' });
  const { orders } = BuyerData.parse((await support.get(`buyers/${ids[0]}/data`)).body);
  expect(orders.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 3).toSorted());
  expect(orders.find(({ id }) => id === ids[0])).toMatchObject({
    buyer: { email: 'ada@example.com' },
    billing: { last_name: 'Lovelace' },
    delivery_method: { data: { city: 'Albany' } },
  });
  expect(orders.find(({ id }) => id === ids[1])?.notes).toMatchObject([{ text: 'Called.' }]);
  const { body } = await api.staff.get(`audit?action=personal_data.revealed&subject=order:${ids[0]}`);
  const [entry] = (body as AuditPage).entries;
  expect(entry?.actor).toBe(`operator:${support.id}`);
  expect(entry?.detail?.['orders']).toHaveLength(3);
});

it('loses an order whose data is erased', async () => {
  expect((await api.staff.send('DELETE', `orders/${ids[2]}/personal-data`)).status).toBeLessThan(300);
  expect((await ordersOf(ids[0])).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(await ordersOf(ids[2])).toEqual([ids[2]]);
});
