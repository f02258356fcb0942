import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderList, type OrderSummary } from '../order.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
/** Ids by the name of the purchase. */
const ids: Record<string, string> = {};

async function buy(name: string, change: Json = {}, transaction = `tx-${name}`): Promise<void> {
  const body = broken(wholesaleBody(), { ref_id: `ref-${name}`, ...change });
  const answer = await api.wholesale.buy(body, { 'x-xx-transaction-id': transaction });
  ids[name] = (answer.body as { id: string }).id;
}

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  await api.staff.putListing('lst-2', { quantity: 1_000, event_id: '7' });
  await buy('a');
  await buy('b', { 'user.email': 'Grace@Example.com' });
  await buy('c', { 'product.listing_id': 'lst-2', 'product.event_id': '7' });
  await buy('d', { ref_id: undefined, user: undefined });
  ids['e'] = await api.payment.bought(broken(cardBody(), { ref_id: 'ref-a' }));
  await api.payment.buy(broken(cardBody(), { 'payment.data.card_number': '4000000000000002', ref_id: 'declined' }));
  await api.staff.changeStatus(ids['b'] ?? '', 3001);
  await api.staff.changeStatus(ids['c'] ?? '', 4001);
  // A day apart, and two at the very same time.
  const days = { a: '01', b: '02', c: '03', d: '03', e: '04' };
  for (const [name, day] of Object.entries(days)) {
    await api.pool.query('update orders set placed_at = $2 where id = $1', [ids[name], `2026-11-${day}T10:00:00Z`]);
  }
});
afterAll(() => api.close());

async function list(query = ''): Promise<OrderList> {
  const { status, body, text } = await api.staff.get(`orders?${query}`);
  expect(status, text).toBe(200);
  return OrderList.parse(body);
}

const nameOf = ({ id }: OrderSummary) => Object.keys(ids).find((name) => ids[name] === id) ?? id;
const names = async (query: string) => (await list(query)).orders.map(nameOf);

describe('orders are found', () => {
  it.each([
    ['', 'edcba'],
    ['sort=placed_at.desc', 'edcba'],
    ['sort=placed_at.asc', 'abcde'],
    ['sort=updated_at.asc', 'adebc'],
    ['sort=updated_at.desc', 'cbeda'],
    ['status=rejected', 'b'],
    ['status=rejected,exception', 'cb'],
    ['status=rejected&status=confirmed', 'edba'],
    ['status=pending', ''],
    ['status_code=4001', 'c'],
    ['status_code=3001,2000', 'edba'],
    ['event_id=7', 'c'],
    ['event_id=5512&listing_id=lst-2', ''],
    ['listing_id=lst-1', 'edba'],
    ['ref_id=ref-a', 'ea'],
    ['ref_id=REF-A', ''],
    ['client_id=pay-1', 'e'],
    ['client_id=pay-1&ref_id=ref-a', 'e'],
    ['placed_from=2026-11-03', 'edc'],
    ['placed_from=2026-11-03T10:00:00.001Z', 'e'],
    ['placed_to=2026-11-03T10:00:00Z', 'ba'],
    ['placed_from=2026-11-02&placed_to=2026-11-04', 'edcb'],
    ['placed_from=2026-11-02&placed_to=2026-11-04T00:00:00Z', 'dcb'],
    ['placed_from=2026-11-03T12:00:00%2B02:00&placed_to=2026-11-03T10:00:00.5Z', 'dc'],
    ['q=ref-a', 'ea'],
    ['q=lst-2', 'c'],
    ['q=7', 'c'],
    ['q=tx-d', 'd'],
    ['q=grace@example.com', 'b'],
    ['q=GRACE@EXAMPLE.COM', 'b'],
    ['q=grace@example.co', ''],
    ['q=%25', ''],
    ["q=' or 1=1 --", ''],
    ['q=ref-a&status=confirmed&sort=placed_at.asc&limit=1', 'a'],
  ])('by "%s": %s', async (query, found) => {
    expect((await names(query)).join('')).toBe(found);
  });

  it('by their id, and by the stage that they did not get past', async () => {
    expect(await names(`q=${ids['d']}`)).toEqual(['d']);
    const { orders } = await list('stage=declined');
    expect(orders).toMatchObject([{ ref_id: 'declined', status: null, stage: 'declined' }]);
    expect(await list('stage=failed')).toEqual({ orders: [], next_cursor: null });
    expect((await list('stage=all')).orders).toHaveLength(6);
  });

  it('with what a list of them shows', async () => {
    const { orders } = await list('q=ref-a&client_id=pay-1');
    expect(orders).toEqual([
      {
        id: ids['e'],
        status: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 },
        product: { event_id: '5512', listing_id: 'lst-1', quantity: 2 },
        delivery_method: { type: 'ship', data: cardBody().delivery_method.data },
        fulfillment: null,
        choice: null,
        market_specific_fields: { campaign: 'spring' },
        ref_id: 'ref-a',
        version: 4,
        client_id: 'pay-1',
        variant: 'payment',
        stage: 'placed',
        section: 'Floor',
        row: 'A',
        seller: null,
        card_last4: '1111',
        external_id: null,
        speculative: false,
        contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+1 212 555 0100' },
        matched: [{ field: 'ref_id', part: 'ref-a' }],
        total: 254.6,
        transaction_id: expect.any(String) as string,
        placed_at: '2026-11-04T10:00:00.000Z',
        updated_at: expect.any(String) as string,
        confirm_by: null,
        delivery: { type: 'ship', next_action: 'enter_tracking', acts: 'staff', due_at: null },
        personal_data: 'kept',
        personal_data_masked: false,
        assignee: null,
        assignee_name: null,
        tags: [],
        desk_version: 0,
      },
    ]);
  });

  it.each([
    ['colour=red', 'colour'],
    ['status=lost', 'status'],
    ['status=', 'status'],
    ['status_code=x', 'status_code'],
    ['status_code=2147483648', 'status_code'],
    ['sort=total', 'sort'],
    ['sort=placed_at.desc;drop', 'sort'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=many', 'limit'],
    ['stage=lost', 'stage'],
    ['placed_from=yesterday', 'placed_from'],
    ['placed_to=2026-02-30', 'placed_to'],
    ['placed_from=0000-01-01', 'placed_from'],
    ['placed_to=9999-12-31T23:59:59-23:00', 'placed_to'],
    ['q=', 'q'],
    ['q=%00', 'q'],
    ['q=a&q=b', 'q'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${Buffer.from('["2026-01-01T00:00:00Z","a\\u0000"]').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('["0000-01-01T00:00:00Z","a"]').toString('base64url')}`, 'cursor'],
  ])('or not, when "%s" is no way to ask: 40001', async (query, field) => {
    const answer = await api.staff.get(`orders?${query}`);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(field);
  });
});

describe('pages of orders', () => {
  beforeAll(async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => buy(`p${index}`, { 'user.phone': 'paged' })));
    // Ten orders have each time, so only the id separates them.
    await api.pool.query(
      `update orders set placed_at = timestamptz '2099-12-01' + (n % 3) * interval '1 s',
         updated_at = timestamptz '2099-12-02' + (n % 2) * interval '1 ms'
       from (select id as paged, row_number() over (order by md5(id)) as n from orders where ref_id like 'ref-p%') as p
       where id = paged`,
    );
  });

  async function walk(query: string, between: () => Promise<void> = async () => undefined): Promise<string[]> {
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: OrderList = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      walked.push(...page.orders.map(({ id }) => id));
      cursor = page.next_cursor;
      await between();
    }
    return walked;
  }

  const SORTS = ['placed_at.desc', 'placed_at.asc', 'updated_at.desc', 'updated_at.asc'];
  it.each(SORTS)('skip nothing and repeat nothing, sorted by %s', async (sort) => {
    const all = (await list(`placed_from=2099-12-01&sort=${sort}`)).orders.map(({ id }) => id);
    expect(new Set(all).size).toBe(30);
    const [column = '', direction] = sort.split('.');
    const { rows } = await api.pool.query<{ id: string }>(
      `select id from orders where placed_at >= '2099-12-01' order by ${column} ${direction}, id ${direction}`,
    );
    expect(all).toEqual(rows.map(({ id }) => id));
    for (const limit of [1, 4, 10, 29, 30]) {
      expect(await walk(`placed_from=2099-12-01&sort=${sort}&limit=${limit}`), `limit ${limit}`).toEqual(all);
    }
  });

  it('stay as they are while orders come in', async () => {
    const query = 'placed_from=2099-12-01&placed_to=2099-12-31&limit=7';
    const all = (await list(query.replace('7', '100'))).orders.map(({ id }) => id);
    let count = 0;
    const walked = await walk(query, () => buy(`later${(count += 1)}`));
    expect(walked).toEqual(all);
  });

  it('end with the last order', async () => {
    expect((await list('placed_from=2099-12-01&placed_to=2100-01-01&limit=30')).next_cursor).toBeNull();
    expect((await list('placed_from=2099-12-01&placed_to=2100-01-01&limit=29')).next_cursor).not.toBeNull();
  });
});
