import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { codesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, everythingStored, tableState } from '../../../../test/support/postgres/table-state.js';

/** Every field of a buyer, each with its own recognisable value. */
const BUYER = {
  'user.email': 'Marked.Buyer@Example.com',
  'user.phone': '+1 999 000 1111',
  'user.ip_address': '203.0.113.77',
  'payment.data.first_name': 'MarkedBillingFirst',
  'payment.data.last_name': 'MarkedBillingLast',
  'payment.data.address1': '77 Marked Billing Road',
  'payment.data.city': 'MarkedBillingCity',
  'delivery_method.data.first_name': 'MarkedFirst',
  'delivery_method.data.last_name': 'MarkedLast',
  'delivery_method.data.address1': '78 Marked Road',
  'delivery_method.data.address2': 'Marked Floor 9',
  'delivery_method.data.city': 'MarkedCity',
  'delivery_method.data.phone': '+1 999 000 2222',
};

let api: TestApi;
let orderId: string;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  orderId = await api.payment.bought(broken(cardBody(), BUYER));
  await api.payment.buy(broken(cardBody(), { ...BUYER, ref_id: 'no', 'payment.data.card_number': '4000000000000002' }));
});
afterAll(() => api.close());

const erase = (id: string) => api.staff.send('DELETE', `orders/${id}/personal-data`);
const buyerValuesIn = (text: string) => Object.values(BUYER).filter((mark) => text.includes(mark));
const foundBy = async (q: string) => {
  const { body } = await api.staff.get(`orders?q=${encodeURIComponent(q)}`);
  return (body as { orders: { id: string }[] }).orders.map(({ id }) => id);
};

/** The buyer's values in each answer that the back office gives about the order. */
async function shown(): Promise<Record<string, string[]>> {
  const answers = {
    purchase: await api.payment.read(orderId),
    detail: await api.staff.get(`orders/${orderId}`),
    list: await api.staff.get('orders'),
    events: await api.staff.get(`orders/${orderId}/events`),
    pings: await api.staff.get(`pings?order_id=${orderId}`),
  };
  return Object.fromEntries(Object.entries(answers).map(([name, { text }]) => [name, buyerValuesIn(text)]));
}

describe("a buyer's data", () => {
  it('is shown to the platform and to staff, and stored where nobody can read it', async () => {
    const delivery = Object.entries(BUYER)
      .filter(([path]) => path.startsWith('delivery_method'))
      .map(([, mark]) => mark);
    expect(await shown()).toEqual({
      purchase: delivery,
      detail: Object.values(BUYER),
      list: [BUYER['user.email'], BUYER['user.phone'], ...delivery],
      events: [],
      pings: [],
    });
    expect((await api.staff.get(`orders/${orderId}`)).body).toMatchObject({
      personal_data: 'kept',
      buyer: { email: 'Marked.Buyer@Example.com', location: { lat: 40.7, lon: -74 } },
      payment: { brand: 'visa', last_four: '1111', billing: { first_name: 'MarkedBillingFirst', state: 'NY' } },
    });
    expect(await foundBy('marked.buyer@example.com')).toEqual([orderId]);
    expect(buyerValuesIn(await everythingStored(api.pool))).toEqual([]);
    expect(buyerValuesIn(api.log.join('\n'))).toEqual([]);
  });

  it('hides neither the order nor the list when it cannot be decrypted', async () => {
    const { rows } = await api.pool.query('select personal from orders where id = $1', [orderId]);
    await api.pool.query(
      `update orders set personal = set_byte(personal, 40, 255 - get_byte(personal, 40)) where id = $1`,
      [orderId],
    );
    const { status, body } = await api.staff.get(`orders/${orderId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ personal_data: 'unreadable', buyer: null, delivery_method: { data: {} } });
    const list = (await api.staff.get('orders?stage=all')).body as { orders: { id: string; personal_data: string }[] };
    const others = list.orders.filter(({ id }) => id !== orderId);
    expect(list.orders.find(({ id }) => id === orderId)).toMatchObject({ personal_data: 'unreadable' });
    expect(others.map(({ personal_data }) => personal_data)).not.toContain('unreadable');
    expect(others.length).toBeGreaterThan(0);
    expect(await foundBy('marked.buyer@example.com')).toEqual([orderId]);
    await api.pool.query('update orders set personal = $2 where id = $1', [orderId, rows[0]?.personal]);
  });

  it('is revealed for a reason that is stored sealed, and is erased with it', async () => {
    const id = await api.payment.bought(broken(cardBody(), { ref_id: 'revealed' }));
    const reason = 'Marked.Caller@example.com asks; the card 4111111111111111';
    await api.staff.send('POST', `orders/${id}/personal-data/reveal`, { reason });
    const shown = async () => {
      const audit = await api.staff.get(`audit?subject=order:${id}&action=personal_data.revealed`);
      const timeline = (await api.staff.get(`orders/${id}/timeline`)).body as {
        entries: { kind: string; detail: object }[];
      };
      const [entry] = (audit.body as { entries: { detail: object }[] }).entries;
      return [entry?.detail, timeline.entries.find(({ kind }) => kind === 'reveal')?.detail];
    };
    const kept = { reason: 'Marked.Caller@example.com asks; the card ************1111' };
    expect(await shown()).toEqual([kept, kept]);
    expect(await everythingStored(api.pool)).not.toContain('Marked.Caller');
    await erase(id);
    expect(await shown()).toEqual([{ reason: null }, { reason: null }]);
  });

  it('is unreadable for ever once it was erased', async () => {
    const answers = async () => (await api.pool.query('select order_id, answer from ping_attempts order by 1')).rows;
    await api.pool.query(
      `insert into ping_attempts select id, 1, 1, now(), 7, 200, null, 'for Ada' from (values ($1), ('ord_another')) as o(id)`,
      [orderId],
    );
    const answer = await erase(orderId);
    expect(await answers()).toEqual(
      expect.arrayContaining([
        { order_id: orderId, answer: null },
        { order_id: 'ord_another', answer: 'for Ada' },
      ]),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      version: 5,
      personal_data: 'erased',
      buyer: null,
      payment: { brand: 'visa', last_four: '1111', billing: null },
      delivery_method: { type: 'ship', data: {} },
      pings: { length: 1 },
    });
    expect(await shown()).toEqual({ purchase: [], detail: [], list: [], events: [], pings: [] });
    const { body } = await api.payment.read(orderId);
    expect(body).toMatchObject({
      id: orderId,
      status: { status_code: 2000 },
      delivery_method: { type: 'ship', data: {} },
    });
    expect(await foundBy('marked.buyer@example.com')).toEqual([]);
    const { rows } = await api.pool.query(
      `select (select count(*)::int from personal_data_keys where order_id = $1) as keys,
              (select count(*)::int from orders where id = $1 and personal is not null) as sealed`,
      [orderId],
    );
    expect(rows).toEqual([{ keys: 0, sealed: 0 }]);
  });

  it('is erased once, and the order stays', async () => {
    const before = await tableState(api.pool);
    expect((await erase(orderId)).body).toMatchObject({ version: 5 });
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
    expect((await api.staff.changeStatus(orderId, 2002)).body).toMatchObject({ personal_data: 'erased', buyer: null });
    expect((await api.payment.read(orderId)).body).toMatchObject({ status: { status_code: 2002 } });
  });

  it('can be erased of an attempt that was declined', async () => {
    const { body } = await api.staff.get('orders?stage=declined');
    const [{ id } = { id: '' }] = (body as { orders: { id: string }[] }).orders;
    expect(buyerValuesIn((await api.staff.get(`orders/${id}`)).text)).not.toEqual([]);
    expect((await erase(id)).body).toMatchObject({ stage: 'declined', personal_data: 'erased' });
    expect(buyerValuesIn((await api.staff.get(`orders/${id}`)).text)).toEqual([]);
  });

  it('is not there for every order', async () => {
    const { product } = wholesaleBody();
    const without = await api.wholesale.bought({ product });
    expect((await api.staff.get(`orders/${without}`)).body).toMatchObject({ personal_data: 'none', buyer: null });
    for (const id of [without, 'ord_unknown']) {
      const answer = await erase(id);
      expect([answer.status, codesOf(answer)]).toEqual([404, [40400]]);
    }
  });
});
