import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderList } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

type Order = { id: string; confirm_by: string | null; status_history: Record<string, unknown>[] };

let api: TestApi;
const orders: string[] = [];

beforeAll(async () => {
  api = await startTestApi();
  for (const minutes of [30, 10, 20]) {
    await api.staff.putListing(`manual-${minutes}`, { confirmation: 'manual', confirm_within_minutes: minutes });
  }
  await api.staff.putListing('plain');
  for (const listing_id of ['manual-30', 'plain', 'manual-10', 'manual-20', 'plain']) {
    const { product, ...rest } = wholesaleBody();
    const body = { ...rest, ref_id: `ref-${orders.length}`, product: { ...product, listing_id } };
    orders.push(await api.wholesale.bought(body));
  }
});
afterAll(() => api.close());

async function walked(path: string, key: 'orders' | 'listings', name: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { status, text, body } = await api.staff.get(`${path}&limit=2${cursor && `&cursor=${cursor}`}`);
    expect(status, text).toBe(200);
    const page = body as { next_cursor: string | null } & Record<string, Record<string, string>[]>;
    seen.push(...(page[key] ?? []).map((entry) => entry[name] ?? ''));
    if (page.next_cursor === null) return seen;
    cursor = encodeURIComponent(page.next_cursor);
  }
}

describe('orders', () => {
  it('are listed by the time to confirm, those that nobody has to confirm last', async () => {
    const [thirty, one, ten, twenty, other] = orders;
    expect(await walked('orders?sort=confirm_by.asc', 'orders', 'id')).toEqual([ten, twenty, thirty, one, other]);
    const { confirm_by } = (await api.staff.get(`orders/${ten}`)).body as Order;
    expect(Math.abs(Date.parse(confirm_by ?? '') - Date.now() - 600_000)).toBeLessThan(120_000);
    expect((await api.staff.get(`orders/${one}`)).body).toMatchObject({ confirm_by: null });
  });

  it('are counted by the filters of the list', async () => {
    const count = async (query: string) => (await api.staff.get(`orders/count${query}`)).body;
    expect(await count('')).toEqual({ count: 5 });
    expect(await count('?status=pending')).toEqual({ count: 3 });
    expect(await count('?listing_id=plain&status_code=2000')).toEqual({ count: 2 });
    expect(await count('?q=ref-1')).toEqual({ count: 1 });
    expect(codesOf(await api.staff.get('orders/count?colour=red'))).toEqual([40001]);
  });

  it('go on from a cursor of their own question, and from those that earlier versions gave out', async () => {
    const page = async (query: string) => (await api.staff.get(`orders?${query}`)).body as OrderList;
    const first = await page('sort=confirm_by.asc&limit=1');
    const { next_cursor: next } = first;
    const rest = (await page(`sort=confirm_by.asc&cursor=${next}`)).orders;
    expect(rest).toHaveLength(4);
    for (const other of ['sort=updated_at.asc', 'sort=confirm_by.asc&status=pending', 'sort=confirm_by.asc&q=ref-1']) {
      expect(codesOf(await api.staff.get(`orders?${other}&cursor=${next}`)), other).toEqual([40001]);
    }
    const earlier = (at: string | null, id: string) => Buffer.from(JSON.stringify([at, id])).toString('base64url');
    const [{ id, confirm_by: at } = { id: '', confirm_by: null }] = first.orders;
    expect((await page(`sort=confirm_by.asc&cursor=${earlier(at, id)}`)).orders).toEqual(rest);
    const last = earlier('infinity', rest[2]?.id ?? '');
    expect((await page(`sort=confirm_by.asc&cursor=${last}`)).orders).toEqual(rest.slice(3));
  });

  it.each(['orders', 'listings', 'queues/to_confirm/orders'])('in %s go on from a cursor of the list', async (list) => {
    for (const cursor of [['0000-01-01T00:00:00Z', 'x'], ['2026-01-01T00:00:00Z', '\0'], ['2026-01-01'], 5]) {
      const forged = Buffer.from(JSON.stringify(cursor)).toString('base64url');
      expect(codesOf(await api.staff.get(`${list}?cursor=${forged}`)), String(cursor)).toEqual([40001]);
    }
  });

  it.each(['notes', 'tickets', 'mails', 'events', 'timeline', 'actions', 'changes?from=1&to=2'])(
    'have no %s when there is no such order',
    async (list) => {
      expect(codesOf(await api.staff.get(`orders/ord_none/${list}`))).toEqual([40400]);
    },
  );

  it('keep the note of a corrected fulfillment, and ping again when asked', async () => {
    const id = orders[1] ?? '';
    const fulfil = (tracking_number: string, change: object = {}) =>
      api.staff.send('POST', `orders/${id}/fulfillment`, {
        type: 'ship',
        data: { carrier: 'UPS', tracking_number },
        ...change,
      });
    const pings = async () =>
      (await api.pool.query('select sequence, state from pings where order_id = $1 order by 1', [id])).rows;
    await fulfil('1Z1', { note: 'packed' });
    await api.pool.query(`update pings set state = 'delivered', next_try_at = null where order_id = $1`, [id]);
    await fulfil('1Z2', { note: 'wrong label' });
    expect(await pings()).toEqual([1, 2].map((sequence) => ({ sequence, state: 'delivered' })));
    const { body } = await fulfil('1Z3', { note: 'lost, sent anew', send_ping: true });
    expect(await pings()).toEqual([
      { sequence: 1, state: 'delivered' },
      { sequence: 2, state: 'pending' },
    ]);
    // A crash between the two would lose the ping.
    const { rows } = await api.pool.query(
      `select pings.xmin::text = events.xmin::text as together from pings, events
       where order_id = $1 and sequence = 2 and stream = 'order-' || order_id and type = 'FulfillmentCorrected'
       order by events.position desc limit 1`,
      [id],
    );
    expect(rows).toEqual([{ together: true }]);
    const { status_history } = body as Order;
    expect(status_history.map(({ status_code, note }) => [status_code, note])).toEqual([
      [2000, null],
      [2002, 'packed'],
      [2002, 'wrong label'],
      [2002, 'lost, sent anew'],
    ]);
    expect(status_history[3]).toMatchObject({ fulfillment: { data: { tracking_number: '1Z3' } } });
    const seen = (await api.wholesale.read(id)).body as Order;
    expect(seen.status_history.map(({ status_code }) => status_code)).toEqual([2000, 2002]);
  });
});

describe('listings', () => {
  beforeAll(async () => {
    await api.staff.putListing('none-left', { quantity: 0, event_id: 'e%_1' });
    await api.staff.send('PUT', 'catalogue/events/7701', {
      title: 'Moth 100% Light',
      type: 'concert',
      datetime_local: '2031-05-02T23:30:00',
      datetime_utc: '2031-05-03T03:30:00',
      venue: { id: 3, name: 'Pier Nine Hall', city: 'Boston', state: 'MA', country: 'US' },
      performers: [{ id: 4, name: 'Moth Light' }],
    });
    await api.staff.putListing('taken-off', { section: 'Balcony', event_id: '7701', seller: 'Front Row' });
    await api.staff.send('DELETE', 'listings/taken-off');
  });

  it.each([
    ['', ['manual-30', 'manual-10', 'manual-20', 'plain', 'none-left', 'taken-off']],
    ['state=on_sale', ['manual-30', 'manual-10', 'manual-20', 'plain']],
    ['state=sold_out', ['none-left']],
    ['state=withdrawn', ['taken-off']],
    ['event_id=5512&q=MANUAL-', ['manual-30', 'manual-10', 'manual-20']],
    ['q=balcony', ['taken-off']],
    ['q=%25_', ['none-left']],
    ['q=moth%20100%25', ['taken-off']],
    ['seller=front%20row', ['taken-off']],
    ['seller=front', []],
    ['from=2031-05-02&to=2031-05-02', ['taken-off']],
    ['from=2031-05-03', []],
    ['to=2031-05-01', []],
    ['from=2031-05-02&q=moth&state=on_sale', []],
    ['event_id=nobody', []],
  ])('are found: %s', async (query, ids) => {
    expect(await walked(`listings?sort=created_at.asc&${query}`, 'listings', 'listing_id')).toEqual(ids);
    expect(await walked(`listings?${query}`, 'listings', 'listing_id')).toEqual(ids.toReversed());
    expect(await walked(`listings?sort=listing_id.asc&${query}`, 'listings', 'listing_id')).toEqual(ids.toSorted());
  });

  it('are refused where an argument is wrong, and for strangers', async () => {
    for (const query of [
      'state=gone',
      'sort=price.asc',
      'limit=201',
      'cursor=x',
      'colour=red',
      'from=0000-01-01',
      'to=5/2/2031',
    ]) {
      expect(codesOf(await api.staff.get(`listings?${query}`)), query).toEqual([40001]);
    }
    expect((await fetch(`${api.url}/backoffice/v1/listings`)).status).toBe(401);
  });
});
