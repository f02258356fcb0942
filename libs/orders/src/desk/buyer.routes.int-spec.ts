import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { AuditPage } from '#accounts/audit.contract';
import type { OrderDetail } from '../order.contract.js';

let api: TestApi;
let orderId: string;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  orderId = await api.payment.bought(cardBody());
});
afterAll(() => api.close());

const correct = (body: unknown, headers = {}, id = orderId) =>
  api.staff.send('PATCH', `orders/${id}/buyer`, body, headers);
const auditEntries = async () =>
  ((await api.staff.get(`audit?subject=order:${orderId}`)).body as AuditPage).entries.length;
const foundBy = async (email: string) => {
  const { body } = await api.staff.get(`orders?q=${encodeURIComponent(email)}`);
  return (body as { orders: { id: string }[] }).orders.map(({ id }) => id);
};

describe('the data of a buyer', () => {
  it('is corrected for staff, for the platform and in the search', async () => {
    const answer = await correct({
      first_name: 'Corrected',
      email: 'corrected@example.com',
      address: { address1: '99 Corrected Road' },
    });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"5"']);
    expect(answer.body).toMatchObject({
      version: 5,
      buyer: { first_name: 'Corrected', email: 'corrected@example.com', phone: '+1 212 555 0100' },
      delivery_method: {
        type: 'ship',
        data: { first_name: 'Corrected', address1: '99 Corrected Road', city: 'Albany' },
      },
      payment: { billing: { first_name: 'Ada', address1: '12 Analytical Way' } },
      pings: { length: 1 },
    });
    expect((await api.payment.read(orderId)).body).toMatchObject({
      delivery_method: { data: { first_name: 'Corrected', last_name: 'Lovelace', address1: '99 Corrected Road' } },
    });
    expect(await foundBy('corrected@example.com')).toEqual([orderId]);
    expect(await foundBy('ada@example.com')).toEqual([]);
    expect(await foundBy('Lovelace, Corrected')).toEqual([orderId]);
    // The payer's name stays.
    expect(await foundBy('ada lovelace')).toEqual([orderId]);
    expect(await everythingStored(api.pool)).not.toMatch(/corrected@example|Corrected Road/);
    const before = (await api.staff.get(`orders/${orderId}?version=4`)).body;
    expect(before).toMatchObject({ buyer: { email: 'ada@example.com' } });
  });

  it('stays as it is when nothing differs, and pings the platform when asked', async () => {
    const audited = await auditEntries();
    expect((await correct({ email: 'corrected@example.com' })).body).toMatchObject({ version: 5 });
    expect(await auditEntries()).toBe(audited);
    expect((await correct({ email: 'corrected@example.com', send_ping: true })).body).toMatchObject({ version: 5 });
    expect(await auditEntries()).toBe(audited + 1);
    await api.pool.query(
      `update pings set state = 'delivered', next_try_at = null, delivered_at = now() where order_id = $1`,
      [orderId],
    );
    const answer = await correct({ phone: '+1 212 555 0199', send_ping: true });
    expect(answer.body).toMatchObject({ version: 6, pings: [{ state: 'pending' }] });
  });

  it('is corrected once, if two people do it at the same time', async () => {
    const { version } = (await api.staff.get(`orders/${orderId}`)).body as OrderDetail;
    const ifMatch = { 'if-match': `"${version}"` };
    const answers = await Promise.all([correct({ phone: '1111111' }, ifMatch), correct({ phone: '2222222' }, ifMatch)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const stale = await correct({ phone: '3333333' }, ifMatch);
    expect([codesOf(stale), messagesOf(stale)]).toEqual([[41201], [expect.stringContaining(String(version + 1))]]);
  });

  it.each([
    [{}],
    [{ email: 'nobody' }],
    [{ first_name: ' ' }],
    [{ address: { country: 'usa' } }],
    [{ card_number: '4111111111111111' }],
  ])('is not replaced by %j', async (body) => {
    expect(codesOf(await correct(body))).toEqual([40001]);
  });

  it('needs orders:reveal, an order with such data, and data that is not erased', async () => {
    const viewer = await signIn(api, ['viewer']);
    expect(codesOf(await viewer.send('PATCH', `orders/${orderId}/buyer`, { phone: '1234567' }))).toEqual([40300]);
    expect(codesOf(await correct({ phone: '1234567' }, {}, 'ord_unknown'))).toEqual([40400]);
    const { product } = wholesaleBody();
    const without = await api.wholesale.bought({ product });
    expect(codesOf(await correct({ phone: '1234567' }, {}, without))).toEqual([40400]);
    const stale = await api.staff.send('DELETE', `orders/${orderId}/personal-data`, undefined, { 'if-match': '"1"' });
    expect(codesOf(stale)).toEqual([41201]);
    expect((await api.staff.send('DELETE', `orders/${orderId}/personal-data`)).status).toBe(200);
    expect(codesOf(await correct({ phone: '1234567' }))).toEqual([40902]);
    for (const q of ['corrected@example.com', 'ada lovelace', '2222222']) expect(await foundBy(q)).toEqual([]);
    expect((await api.staff.get(`orders/${orderId}?version=4`)).body).toMatchObject({ buyer: null });
  });
});
