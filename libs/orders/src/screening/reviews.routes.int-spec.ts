import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShowDetail, ShowList } from '#desk/show-list.contract';
import type { OrderDetail, OrderList } from '../order.contract.js';
import type { Queue, QueueList, QueuePage } from '#desk/queue.contract';
import { REPORTS } from '#desk/report.contract';
import { DatabaseClock } from '#database/database-clock';
import { fillWorkItems } from '#desk/work-item-filling';
import { QueueCounts } from '#desk/queues/queue-counts';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { codesOf } from '../../../../test/support/callers.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { signIn, type SignedIn } from '../../../../test/support/operators.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const MINUTE_MS = 60_000;
const ALL = { name: 'All', where: { field: 'quantity', op: '>', value: 0 } };

let api: TestApi;
let placed = 0;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  const manual = { quantity: 1_000, seller: 'Front Row', confirmation: 'manual', confirm_within_minutes: 60 } as const;
  await api.staff.putListing('manual', manual);
});
afterAll(() => api.close());
beforeEach(async () => {
  await put('policies', { policies: [] });
  await put('fraud-rules', { rules: [ALL] });
});

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await api.staff.send('PUT', path, body);
  expect(status, text).toBe(200);
}

const VARIANTS = ['payment', 'wholesale'] as const;

function buy(variant: (typeof VARIANTS)[number], listing: string, change: Json = {}): Promise<string> {
  placed += 1;
  const body = variant === 'payment' ? cardBody() : wholesaleBody();
  return api[variant].bought(broken(body, { ref_id: `review-${placed}`, 'product.listing_id': listing, ...change }));
}

const send = (id: string, path: string, body?: object, headers = {}) =>
  api.staff.send('POST', `orders/${id}/${path}`, body, headers);
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;

/** The statuses of the order, and those that the platform is told of. They must be the same. */
async function toldOf(id: string): Promise<number[]> {
  const codes = (await order(id)).status_history.map(({ status_code: code }) => code);
  const { rows } = await api.pool.query<{ status_code: number }>(
    `select h.status_code from pings p join status_history h on h.order_id = p.order_id and h.sequence = p.sequence
     where p.order_id = $1 order by p.sequence`,
    [id],
  );
  expect(rows.map(({ status_code: code }) => code)).toEqual(codes);
  return codes;
}

describe.each(VARIANTS)('a held order of the %s variant that is approved', (variant) => {
  it('is confirmed if its listing confirms by itself', async () => {
    const id = await buy(variant, 'lst-1');
    expect(await toldOf(id)).toEqual([1002]);
    const { status, body } = await send(id, 'approve', { note: 'Known buyer.' });
    expect([status, body]).toMatchObject([200, { status: { status_code: 2000 }, confirm_by: null }]);
    expect((await order(id)).status_history.at(-1)).toMatchObject({ note: 'Known buyer.', actor: 'token:backoffice' });
    expect(await toldOf(id)).toEqual([1002, 2000]);
  });

  it('goes to its broker, whose time begins then, and who answers', async () => {
    const broker = await signIn(api, ['broker'], ['Front Row']);
    const id = await buy(variant, 'manual');
    expect(codesOf(await broker.send('POST', `orders/${id}/approve`))).toEqual([40400]);
    expect((await order(id)).confirm_by).toBeNull();
    expect((await send(id, 'approve')).body).toMatchObject({ status: { status_code: 1001 } });
    const { confirm_by: dueAt, status_history: history } = await order(id);
    const since = Date.parse(history.at(-1)?.created_at ?? '');
    expect(Date.parse(dueAt ?? '') - since).toBe(60 * MINUTE_MS);
    expect((await broker.send('POST', `orders/${id}/accept`)).status).toBe(200);
    expect(await toldOf(id)).toEqual([1002, 1001, 2000]);
  });

  it('is answered by the policy that would have answered it', async () => {
    const policy = { name: 'Any', action: 'deny', reason: 'price_error', where: ALL.where };
    await put('policies', { policies: [policy] });
    const before = await api.staff.available('manual');
    const id = await buy(variant, 'manual');
    const dryRun = async () => {
      const { body } = await api.staff.send('POST', 'policies/dry-run', { policy });
      return (body as { sample: { id: string }[] }).sample.map((one) => one.id).includes(id);
    };
    expect(await dryRun()).toBe(false);
    expect((await send(id, 'approve')).status).toBe(200);
    expect(await toldOf(id)).toEqual([1002, 1001, 3004]);
    expect(await api.staff.available('manual')).toBe(before);
    expect(await dryRun()).toBe(true);
  });
});

describe('an order under review', () => {
  /** How often its broker meets an order of the show, wherever orders are listed or counted. */
  async function metBy(broker: SignedIn, customQueue: string, search: object): Promise<Record<string, number>> {
    api.app.get(QueueCounts).forget();
    const met: Record<string, number> = {};
    for (const { id, ...queue } of ((await broker.get('queues')).body as QueueList).queues) {
      const { orders } = (await broker.get(`queues/${id}/orders`)).body as QueuePage;
      const name = id === customQueue ? 'custom' : id;
      met[`queue ${name}`] = queue.count + queue.overdue + (queue.next_due_at === null ? 0 : 1) + orders.length;
    }
    const { events } = (await broker.get('events?q=5512&when=all')).body as ShowList;
    met['show list'] = events[0]?.orders ?? 0;
    met['show'] = ((await broker.get('events/5512')).body as ShowDetail).orders;
    for (const report of REPORTS.filter((name) => name !== 'refusals')) {
      const { totals } = (await broker.get(`reports/${report}`)).body as { totals: { orders: number } };
      met[`report ${report}`] = totals.orders;
    }
    met['count'] = ((await broker.get('orders/count')).body as { count: number }).count;
    met['list'] = ((await broker.get('orders')).body as OrderList).orders.length;
    met['search'] = ((await broker.send('POST', 'orders/search', search)).body as OrderList).orders.length;
    return met;
  }

  it('is met by its broker nowhere, overdue or not, until the review is over', async () => {
    await api.staff.putListing('unseen', { quantity: 5, seller: 'Unseen Row', confirmation: 'manual' });
    const broker = await signIn(api, ['broker'], ['Unseen Row']);
    const any = { where: { field: 'quantity', op: '>', value: 0 } };
    const due = { field: 'placed_at', minutes: 0 };
    const { body } = await api.staff.send('POST', 'queues', { name: 'Any', ...any, due });
    const custom = (body as Queue).id;
    const id = await buy('wholesale', 'unseen');
    const clock = new FixedClock();
    for (const at of [api.app.get(DatabaseClock).iso(), '2099-01-01T00:00:00.000Z']) {
      clock.set(at);
      await fillWorkItems(api.pool, clock);
      const late = { where: { field: 'queue', op: 'in', value: ['review', 'overdue'] } };
      for (const search of [any, late]) {
        const met = await metBy(broker, custom, search);
        expect(Object.keys(met).length).toBeGreaterThan(14);
        expect(met).toEqual(Object.fromEntries(Object.keys(met).map((name) => [name, 0])));
      }
    }
    const found = await api.staff.send('POST', 'orders/search', {
      where: { field: 'queue', op: '=', value: 'overdue' },
    });
    expect((found.body as OrderList).orders.map((one) => one.id)).toContain(id);

    await send(id, 'approve');
    await fillWorkItems(api.pool, api.app.get(DatabaseClock));
    const after = await metBy(broker, custom, any);
    expect(after).toMatchObject({ 'queue to_confirm': 2, show: 1, 'report orders': 1, count: 1, list: 1, search: 1 });
    expect(after['queue custom']).toBeGreaterThan(0);
  });
});

describe('a review', () => {
  it('that ends with a rejection gives 3002, the tickets and the money', async () => {
    const before = await api.staff.available('manual');
    const id = await buy('payment', 'manual');
    const denied = await send(id, 'deny', { reason: 'fraud' });
    expect([denied.status, denied.body]).toMatchObject([200, { status: { status_code: 3002 } }]);
    expect(await toldOf(id)).toEqual([1002, 3002]);
    expect(await api.staff.available('manual')).toBe(before);
    const { rows } = await api.pool.query('select payment_step from orders where id = $1', [id]);
    expect(rows).toEqual([{ payment_step: 'void' }]);
  });

  it('is approved once, by the version that was seen, and only while it lasts', async () => {
    const id = await buy('payment', 'manual');
    expect(codesOf(await send(id, 'approve', {}, { 'if-match': '"1"' }))).toEqual([41201]);
    expect((await send(id, 'approve')).status).toBe(200);
    const { version } = await order(id);
    expect((await send(id, 'approve')).status).toBe(200);
    expect((await order(id)).version).toBe(version);
    await send(id, 'accept');
    expect(codesOf(await send(id, 'approve'))).toEqual([40901]);
    expect(codesOf(await send(id, 'approve', { reason: 'x' }))).toEqual([40001]);
    expect(codesOf(await send('ord_unknown', 'approve'))).toEqual([40400]);
  });
});

describe('a fraud rule that rejects', () => {
  beforeEach(() => put('fraud-rules', { rules: [{ ...ALL, action: 'reject', score: 1 }] }));

  it.each(VARIANTS)('ends a purchase of the %s variant as 3001 at once, and asks for no payment', async (variant) => {
    const before = await api.staff.available('manual');
    const id = await buy(variant, 'manual');
    expect(await toldOf(id)).toEqual([3001]);
    expect((await api[variant].read(id)).body).toMatchObject({ status: { status: 'rejected', status_code: 3001 } });
    expect(await api.staff.available('manual')).toBe(before);
    const { rows } = await api.pool.query(
      `select due_for, (select count(*)::int from sandbox_payments where order_id = id) as payments from orders where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ due_for: null, payments: 0 }]);
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as { entries: { title: string }[] };
    expect(entries.map(({ title }) => title)).toContain('Fraud rules reject the order: “All”');
    expect(codesOf(await send(id, 'approve'))).toEqual([40901]);
  });

  it('lets trusted users pass, is kept as it was sent, and is in the dry run', async () => {
    const from = new Date().toISOString();
    expect(await toldOf(await buy('payment', 'lst-1', { is_trusted_user: true }))).toEqual([2000]);
    expect((await api.staff.get('fraud-rules')).body).toMatchObject({
      rules: [{ ...ALL, action: 'reject', score: 1 }],
    });
    const rejected = await buy('payment', 'lst-1');
    const rules = [{ ...ALL, action: 'reject', score: 1 }];
    const { body } = await api.staff.send('POST', 'fraud-rules/dry-run', { rules, from });
    expect(body).toMatchObject({ orders: 1, sample: [{ id: rejected }] });
    expect((await api.staff.send('PUT', 'fraud-rules', { rules: [{ ...ALL, action: 'accept' }] })).status).toBe(400);
  });
});
