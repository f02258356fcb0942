import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { DatabaseClock } from '#database/database-clock';
import type { OrderDetail, OrderList } from '#orders/order.contract';
import { Sealer } from '#base/sealing';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { eventLine } from '../../../../test/support/discovery/catalogue-lines.js';
import { signIn } from '../../../../test/support/operators.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { QueuePage } from '../queue.contract.js';
import { WorkItems } from './work-items.js';

const HOUR_MS = 3_600_000;
const SHOW = 5_512;

let api: TestApi;
let clock: DatabaseClock;
/** The show begins in a hundred hours. */
let startsAt: number;

beforeAll(async () => {
  api = await startTestApi();
  clock = api.app.get(DatabaseClock);
  startsAt = Math.floor(clock.now() / 1_000) * 1_000 + 100 * HOUR_MS;
  const utc = new Date(startsAt).toISOString().slice(0, 19);
  const line = eventLine(SHOW, { datetime_utc: utc, datetime_local: utc });
  expect((await api.staff.send('PUT', `catalogue/events/${SHOW}`, line)).status).toBe(200);
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'Front Row', tax_rate: 0, tax_rates: {} });
});
// After all tests the tables must agree with the log.
afterAll(async () => {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
});
afterEach(() => void vi.restoreAllMocks());

function bought(ref_id: string, type: 'transfer' | 'will_call'): Promise<string> {
  const body = cardBody();
  const payment = { ...body.payment, total: type === 'transfer' ? 221.5 : 220 };
  const data = type === 'transfer' ? { email: 'ada@example.com' } : { first_name: 'Ada', last_name: 'Lovelace' };
  return api.payment.bought({ ...body, ref_id, payment, delivery_method: { type, data } });
}

/** What the worker does. */
async function settled(): Promise<void> {
  await moveSomeToFeed(api.pool);
  while (await api.app.get(WorkItems).step());
}
async function page(queue: string): Promise<QueuePage['orders']> {
  await settled();
  return ((await api.staff.get(`queues/${queue}/orders`)).body as QueuePage).orders;
}
const idsIn = async (queue: string) => (await page(queue)).map(({ id }) => id);
async function found(where: object): Promise<string[]> {
  await settled();
  return ((await api.staff.send('POST', 'orders/search', { where })).body as OrderList).orders.map(({ id }) => id);
}
const dueOf = async (id: string) => ((await api.staff.get(`orders/${id}`)).body as OrderDetail).delivery.due_at;

it('an order that waits for its buyer is in no queue until the show begins, and then it is overdue', async () => {
  const id = await bought('pick-up', 'will_call');
  expect(await dueOf(id)).toBe(new Date(startsAt).toISOString());
  for (const queue of ['to_deliver', 'exceptions', 'overdue']) expect(await idsIn(queue)).not.toContain(id);
  const own = { field: 'id', op: '=', value: id };
  expect(await found({ and: [own, { field: 'queue', op: 'is_null' }] })).toEqual([id]);
  expect(await found({ and: [own, { field: 'due_at', op: '=', value: new Date(startsAt).toISOString() }] })).toEqual([
    id,
  ]);
  expect(await found({ and: [own, { field: 'acts', op: 'in', value: ['buyer', 'carrier'] }] })).toEqual([id]);
  vi.spyOn(clock, 'now').mockReturnValue(startsAt + 1);
  expect(await idsIn('overdue')).toContain(id);
  expect(await found({ and: [own, { field: 'queue', op: '=', value: 'overdue' }] })).toEqual([id]);
});

it('a declined transfer is an exception with a clock of its own', async () => {
  const id = await bought('declined', 'transfer');
  expect(await idsIn('to_deliver')).toContain(id);
  await api.staff.send('POST', `orders/${id}/transfers`, { source: 'email' });
  expect(await idsIn('to_deliver')).not.toContain(id);
  const broker = await signIn(api, ['broker'], ['Front Row']);
  const declined = await broker.send('POST', 'delivery-reports', { kind: 'transfer_declined', order_id: id });
  expect(declined.body).toMatchObject({ orders: [{ order_id: id, moved: true, status_code: 4003 }], ignored: false });
  const [order] = (await page('exceptions')).filter((one) => one.id === id);
  expect(order?.due_at).toBe(await dueOf(id));
  expect(order?.delivery).toMatchObject({ next_action: 'retransfer', acts: 'seller', due_at: order?.due_at });
  const sellers = await api.staff.get('reports/sellers');
  expect(sellers.body).toMatchObject({ totals: { declined: 1, expired: 0, refused: 0, late: 0 } });
  const stranger = await signIn(api, ['broker'], ['Back Row']);
  const refused = await stranger.send('POST', 'delivery-reports', { kind: 'transfer_declined', order_id: id });
  expect(refused.status).toBe(404);
  const byNumber = { kind: 'parcel_delivered', tracking_number: '1Z1' };
  expect((await broker.send('POST', 'delivery-reports', byNumber)).status).toBe(403);
});

it('a search sorted by what is due goes by the clocks that the orders show, and ends with what is done', async () => {
  const tomorrow = await bought('accepted-by-tomorrow', 'transfer');
  await api.staff.send('POST', `orders/${tomorrow}/transfers`, { source: 'email' });
  const done = await bought('taken-back', 'transfer');
  await api.staff.send('POST', `orders/${done}/status`, { status_code: 3001 });
  await settled();
  const seen: OrderDetail[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = { sort: 'due_at.asc', limit: 2, ...(cursor && { cursor }) };
    const { orders, next_cursor } = (await api.staff.send('POST', 'orders/search', asked)).body as OrderList;
    for (const { id } of orders) seen.push((await api.staff.get(`orders/${id}`)).body as OrderDetail);
    cursor = next_cursor;
  }
  const clocks = seen.map(({ delivery }) => delivery.due_at);
  expect(clocks.filter((at) => at !== null).length).toBeGreaterThan(2);
  expect(clocks).toEqual(clocks.toSorted((one, other) => (one ?? '9').localeCompare(other ?? '9')));
  expect(seen.at(-1)?.id).toBe(done);
});
