import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderDetail } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { type Answer, call, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
});
afterAll(() => api.close());

/** A new order: version 2, confirmed (2000). */
const placed = () => api.wholesale.bought(broken(wholesaleBody(), { ref_id: undefined }));

function changed(answer: Answer): OrderDetail {
  expect(answer.status, answer.text).toBe(200);
  const order = OrderDetail.parse(answer.body);
  expect(answer.headers.get('etag')).toBe(`"${order.version}"`);
  return order;
}

const detail = async (id: string) => changed(await api.staff.get(`orders/${id}`));
const codesIn = (order: OrderDetail) => order.status_history.map(({ status_code }) => status_code);

/** The answer of something that must be refused, and leave everything as it was. */
async function refused(asked: () => Promise<Answer>): Promise<[number, number[]]> {
  const before = await tableState(api.pool);
  const answer = await asked();
  expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  return [answer.status, codesOf(answer)];
}

describe('the status of an order', () => {
  it('is changed with a note, in the name of staff, and pinged', async () => {
    const id = await placed();
    const answer = await api.staff.send('POST', `orders/${id}/status`, { status_code: 2001, note: 'Zoë ☃ said so' });
    const order = changed(answer);
    expect(order).toMatchObject({
      version: 3,
      status: { status: 'confirmed', status_message: 'Order Confirmation Email Sent', status_code: 2001 },
      status_history: [
        { status_code: 2000, actor: 'platform:wh-1', note: null },
        { status_code: 2001, actor: 'token:backoffice', note: 'Zoë ☃ said so' },
      ],
      pings: [
        { sequence: 1, status_code: 2000, state: 'pending' },
        { sequence: 2, status_code: 2001, state: 'pending', transaction_id: answer.headers.get('x-xx-transaction-id') },
      ],
    });
    expect(await detail(id)).toEqual(order);
    const { body } = await api.wholesale.read(id);
    const history = order.status_history.map(({ status, status_message, status_code, created_at }) => ({
      status,
      status_message,
      status_code,
      created_at,
    }));
    expect(body).toMatchObject({ status: order.status, status_history: history });
  });

  it('is changed without a note where that is null', async () => {
    const id = await placed();
    const order = changed(await api.staff.send('POST', `orders/${id}/status`, { status_code: 2001, note: null }));
    expect(order.status_history.at(-1)).toMatchObject({ status_code: 2001, note: null });
    const { body } = await api.staff.get(`orders/${id}/events`);
    expect((body as { events: { data: object }[] }).events.at(-1)?.data).not.toHaveProperty('note');
  });

  it('is changed by exactly one of several people who saw the same version', async () => {
    const id = await placed();
    expect(changed(await api.staff.changeStatus(id, 2001, 2)).version).toBe(3);
    const stale = await api.staff.changeStatus(id, 3001, 2);
    expect([stale.status, codesOf(stale)]).toEqual([412, [41201]]);
    expect(messagesOf(stale)[0]).toContain('version 3');
    expect(await refused(() => api.staff.changeStatus(id, 3001, 4))).toEqual([412, [41201]]);
    expect(changed(await api.staff.changeStatus(id, 3001, 3)).version).toBe(4);
  });

  it.each<[string, number]>([
    ['"2"', 200],
    ['W/"2"', 200],
    ['2', 200],
    ['*', 200],
    ['"1"', 412],
    ['"99"', 412],
    ['"2", "3"', 400],
    ['"two"', 400],
    ['', 400],
    ['"-1"', 400],
    ['"99999999999999999999"', 400],
  ])('is changed if it matches %s: %i', async (ifMatch, status) => {
    const id = await placed();
    const send = () => api.staff.send('POST', `orders/${id}/status`, { status_code: 2001 }, { 'if-match': ifMatch });
    if (status === 200) expect((await send()).status).toBe(200);
    else expect(await refused(send)).toEqual([status, status === 412 ? [41201] : [40001]]);
  });

  it('is not changed by the same code again, but for a stale version', async () => {
    const id = await placed();
    const before = await tableState(api.pool);
    expect(changed(await api.staff.changeStatus(id, 2000))).toMatchObject({ version: 2, pings: [{ sequence: 1 }] });
    expect(changed(await api.staff.changeStatus(id, 2000, 2)).version).toBe(2);
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
    expect(await refused(() => api.staff.changeStatus(id, 2000, 1))).toEqual([412, [41201]]);
  });

  const ALLOWED: Record<string, string> = {
    pending: 'pending confirmed rejected exception',
    confirmed: 'confirmed rejected exception',
    exception: 'exception confirmed rejected',
    rejected: '',
  };
  const CODES = { pending: [1001, 1002], confirmed: [2001, 2005], rejected: [3001, 3004], exception: [4001, 4005] };
  it.each(Object.keys(ALLOWED))('follows the catalogue from %s', async (from) => {
    for (const [to, codes] of Object.entries(CODES)) {
      await api.staff.putListing('manual', { confirmation: 'manual' });
      const manual = { ref_id: undefined, 'product.listing_id': 'manual' };
      const id = await api.wholesale.bought(broken(wholesaleBody(), manual));
      if (from !== 'pending') await api.staff.changeStatus(id, CODES[from as keyof typeof CODES][0] ?? 0);
      const next = codes.find((code) => code !== 1001 && code !== CODES[from as keyof typeof CODES][0]) ?? 0;
      if (ALLOWED[from]?.split(' ').includes(to)) {
        expect(changed(await api.staff.changeStatus(id, next)).status?.status_code).toBe(next);
      } else {
        expect(await refused(() => api.staff.changeStatus(id, next))).toEqual([409, [40901]]);
      }
    }
  });

  it.each<[string, unknown, number, number]>([
    ['a code that is not in the catalogue', { status_code: 2999 }, 422, 42201],
    ['a code of no size', { status_code: 9007199254740991 }, 422, 42201],
    ['no code', {}, 400, 40001],
    ['a code as text', { status_code: '2001' }, 400, 40001],
    ['half a code', { status_code: 2001.5 }, 400, 40001],
    ['a note that is no text', { status_code: 2001, note: 7 }, 400, 40001],
    ['a note that is too long', { status_code: 2001, note: 'x'.repeat(2_001) }, 400, 40001],
    ['a note with NUL', { status_code: 2001, note: '\0' }, 400, 40001],
    ['what nobody knows', { status_code: 2001, colour: 'red' }, 400, 40001],
    ['no object', [2001], 400, 40001],
    ['no JSON', '{"status_code":', 400, 40000],
    ['nothing', undefined, 400, 40000],
  ])('is not changed by %s', async (_what, body, status, code) => {
    const id = await placed();
    expect(await refused(() => api.staff.send('POST', `orders/${id}/status`, body))).toEqual([status, [code]]);
  });

  it('is that of an order', async () => {
    expect(await refused(() => api.staff.changeStatus('ord_unknown', 2001))).toEqual([404, [40400]]);
    expect(await refused(() => api.staff.changeStatus('ord_unknown', 2999))).toEqual([404, [40400]]);
  });
});

describe('the tickets of an order', () => {
  const placedOn = (listingId: string) =>
    api.wholesale.bought(broken(wholesaleBody(), { ref_id: undefined, 'product.listing_id': listingId }));
  const stock = async (id: string) => {
    const { quantity, held } = (await api.staff.get(`listings/${id}`)).body as { quantity: number; held: number };
    return { quantity, held };
  };

  it('go back on sale when it is rejected, unless they were sent out', async () => {
    await api.staff.putListing('ten');
    const [kept, sent] = [await placedOn('ten'), await placedOn('ten')];
    await api.staff.changeStatus(kept, 4001);
    expect(await stock('ten')).toEqual({ quantity: 6, held: 4 });
    await api.staff.changeStatus(kept, 3004);
    expect(await stock('ten')).toEqual({ quantity: 8, held: 2 });
    await api.staff.changeStatus(sent, 2002);
    await api.staff.changeStatus(sent, 3002);
    expect(await stock('ten')).toEqual({ quantity: 8, held: 2 });
  });

  it('go back once, also to a listing that was changed and withdrawn meanwhile', async () => {
    await api.staff.putListing('moved', { quantity: 5 });
    const id = await placedOn('moved');
    await api.staff.putListing('moved', { quantity: 8, price: 1 });
    await api.staff.send('DELETE', 'listings/moved');
    for (const _ of [1, 2]) await api.staff.changeStatus(id, 3004);
    expect(await stock('moved')).toEqual({ quantity: 10, held: 0 });
  });
});

describe('the fulfillment of an order', () => {
  const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z-999-Ö' } };
  const download = { type: 'download', data: { url: 'https://tickets.example/1?a=b#c' } };
  const fulfil = (id: string, body: unknown, headers = {}) =>
    api.staff.send('POST', `orders/${id}/fulfillment`, body, headers);

  it.each<[string, object, number]>([
    ['ship', ship, 2002],
    ['download', download, 2004],
  ])('is kept and moves the status: %s', async (_type, fulfillment, code) => {
    const id = await placed();
    const order = changed(await fulfil(id, { ...fulfillment, note: 'by hand' }));
    expect(order).toMatchObject({ version: 3, fulfillment, status: { status: 'confirmed', status_code: code } });
    expect(order.status_history.at(-1)).toMatchObject({ note: 'by hand', actor: 'token:backoffice' });
    expect(order.pings).toHaveLength(2);
    expect((await api.wholesale.read(id)).body).toMatchObject({ fulfillment, status: { status_code: code } });
    const before = await tableState(api.pool);
    expect(changed(await fulfil(id, fulfillment)).version).toBe(3);
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });

  it('has its tracking number without blanks, also where it is searched and reported', async () => {
    const id = await placed();
    const typed = { type: 'ship', data: { carrier: 'UPS', tracking_number: ' 1Z 999\u00a0AA1 0999999999\t' } };
    const stored = { data: { tracking_number: '1Z999AA10999999999' } };
    expect(changed(await fulfil(id, typed))).toMatchObject({ fulfillment: stored });
    expect((await api.wholesale.read(id)).body).toMatchObject({ fulfillment: stored });
    expect(changed(await fulfil(id, typed)).version).toBe(3);
    const found = { orders: [{ id }] };
    for (const value of ['1Z 999 AA1 0999999999', '1Z999AA10999999999']) {
      const where = { field: 'tracking_number', op: '=', value };
      expect((await api.staff.send('POST', 'orders/search', { where })).body).toMatchObject(found);
    }
    expect((await api.staff.send('POST', 'orders/search', { q: '1Z 999 AA1 099' })).body).toMatchObject(found);
    const report = { tracking_number: '1Z 999 AA1 0999999999 ', report: 'parcel_delivered' };
    expect((await api.staff.send('POST', 'delivery-reports', report)).status).toBe(200);
    expect((await api.wholesale.read(id)).body).toMatchObject({ status: { status_code: 2003 } });
  });

  it('can be corrected without a ping, and replaced by the other kind', async () => {
    const id = await placed();
    await fulfil(id, ship);
    const corrected = { type: 'ship', data: { carrier: 'FedEx', tracking_number: '2' } };
    expect(changed(await fulfil(id, corrected))).toMatchObject({ version: 4, fulfillment: corrected });
    const order = changed(await fulfil(id, download));
    expect(order).toMatchObject({ version: 5, fulfillment: download });
    // The correction stands between: it repeats the status that it left as it was.
    expect(codesIn(order)).toEqual([2000, 2002, 2002, 2004]);
    expect(order.pings).toHaveLength(3);
    expect((await api.wholesale.read(id)).body).toMatchObject({ fulfillment: download });
  });

  it.each<[string, unknown]>([
    ['a carrier that is not among CARRIERS', { type: 'ship', data: { carrier: 'DHL', tracking_number: '1' } }],
    ['a carrier in other letters', { type: 'ship', data: { carrier: 'ups', tracking_number: '1' } }],
    ['no tracking number', { type: 'ship', data: { carrier: 'UPS' } }],
    ['an empty tracking number', { type: 'ship', data: { carrier: 'UPS', tracking_number: '' } }],
    ['a blank tracking number', { type: 'ship', data: { carrier: 'UPS', tracking_number: ' \t' } }],
    ['the data of the other kind', { type: 'download', data: ship.data }],
    ['an address that is none', { type: 'download', data: { url: 'tickets' } }],
    ['an address that runs', { type: 'download', data: { url: 'javascript:alert(1)' } }],
    ['a kind that there is not', { type: 'pigeon', data: {} }],
    ['more than there is', { ...download, data: { ...download.data, pin: 1 } }],
    ['nothing', {}],
  ])('is not %s', async (_what, body) => {
    const id = await placed();
    expect(await refused(() => fulfil(id, body))).toEqual([400, [40001]]);
  });

  it('obeys the catalogue and the version like any change', async () => {
    const id = await placed();
    expect(await refused(() => fulfil(id, ship, { 'if-match': '"1"' }))).toEqual([412, [41201]]);
    await api.staff.changeStatus(id, 3001);
    expect(await refused(() => fulfil(id, ship))).toEqual([409, [40901]]);
    expect(await refused(() => fulfil('ord_unknown', ship))).toEqual([404, [40400]]);
  });
});

describe('the back office', () => {
  it('is for staff alone', async () => {
    const id = await api.payment.bought(broken(cardBody(), { ref_id: undefined }));
    const routes: [string, string, Json?][] = [
      ['GET', 'orders'],
      ['GET', `orders/${id}`],
      ['GET', `orders/${id}/events`],
      ['POST', `orders/${id}/status`, { status_code: 3001 }],
      ['POST', `orders/${id}/fulfillment`, { type: 'download', data: { url: 'https://x.example' } }],
      ['DELETE', `orders/${id}/personal-data`],
      ['GET', 'pings'],
      ['GET', `pings/${id.replace('ord', 'png')}_1`],
      ['POST', `pings/${id.replace('ord', 'png')}_1/send`],
      ['POST', 'pings/send', {}],
    ];
    for (const [method, path, body] of routes) {
      for (const authorization of ['', 'Bearer', 'Bearer x', 'Basic dG9rZW46', 'XX pay-1:x']) {
        const ask = () =>
          call(`${api.url}/backoffice/v1/${path}`, method, body, authorization ? { authorization } : {});
        expect(await refused(ask), `${method} ${path}`).toEqual([401, [40100]]);
        expect((await ask()).headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });
});
