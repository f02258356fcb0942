import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { cardBody, VALID_CARD_NUMBER } from '../../../../test/support/purchase-bodies.js';
import type { Transaction } from './transaction.contract.js';
import { RecordedRequests } from '#platform/recorded-requests';
import { RequestPruning } from '#web/request-pruning';

const TRANSACTION = { 'x-xx-transaction-id': 'purchase 1' };

let api: TestApi;
let orderId: string;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  const { body } = await api.payment.buy(cardBody(), TRANSACTION);
  orderId = (body as { id: string }).id;
});
afterAll(() => api.close());

const find = (id: string) => api.staff.get(`transactions/${encodeURIComponent(id)}`);

describe('a transaction', () => {
  it('of a purchase tells its request and what it caused', async () => {
    expect((await find('purchase 1')).body).toMatchObject({
      request: {
        method: 'POST',
        path: '/checkout/v1/purchases',
        actor: 'platform:pay-1',
        status: 201,
        duration_ms: expect.any(Number),
      },
      commands: [
        { order_id: orderId, actor: 'platform:pay-1', versions: [1, 2] },
        { order_id: orderId, versions: [3, 4] },
      ],
      events: [
        { title: 'Purchase received' },
        { title: 'Payment prepared at the provider' },
        { title: 'Payment of $254.60 authorised' },
        { title: 'Confirmed' },
      ],
      payments: [
        { type: 'PaymentPrepared', order_id: orderId, version: 2 },
        { type: 'PaymentAuthorised', order_id: orderId, version: 3 },
      ],
      pings: [{ order_id: orderId, sequence: 1, attempts: [] }],
    });
  });

  it('has the answers to its pings for people who may see deliveries', async () => {
    await api.pool.query(
      `insert into ping_attempts (order_id, sequence, attempt, started_at, duration_ms, http_status, error, answer)
       values ($1, 1, 1, now(), 7, 500, 'answered 500', 'closed for lunch')`,
      [orderId],
    );
    const attempt = { attempt: 1, http_status: 500, error: 'answered 500' };
    expect((await find('purchase 1')).body).toMatchObject({
      pings: [{ sequence: 1, attempts: [{ ...attempt, answer: 'closed for lunch' }] }],
    });
    const scopes = ['orders:read'];
    const { token } = (await api.staff.send('POST', 'tokens', { name: 'T', scopes })).body as { token: string };
    const bearer = { authorization: `Bearer ${token}` };
    const { body, text } = await call(`${api.url}/backoffice/v1/transactions/purchase%201`, 'GET', undefined, bearer);
    expect(body).toMatchObject({ pings: [{ attempts: [attempt] }] });
    expect(text).not.toContain('closed for lunch');
  });

  it('of staff tells who changed the order', async () => {
    const change = await api.staff.send('POST', `orders/${orderId}/status?x=secret`, { status_code: 2001 });
    const id = change.headers.get('x-xx-transaction-id') ?? '';
    const { request, events, payments } = (await find(id)).body as Transaction;
    expect(request).toMatchObject({
      method: 'POST',
      path: `/backoffice/v1/orders/${orderId}/status`,
      actor: 'token:backoffice',
    });
    expect(events).toMatchObject([{ type: 'OrderConfirmed', version: 5 }]);
    expect(payments).toEqual([]);
  });

  it('that was refused is known too, and one that never was is not', async () => {
    await api.payment.buy(
      { ...cardBody(), product: { ...cardBody().product, quantity: 0 } },
      { 'x-xx-transaction-id': 'bad' },
    );
    expect((await find('bad')).body).toMatchObject({ request: { status: 400 }, events: [], commands: [], pings: [] });
    expect(codesOf(await find('never'))).toEqual([40400]);
  });

  it('keeps no body, no query and no card, and its request is forgotten in time', async () => {
    const { rows } = await api.pool.query<{ all: string }>(`select json_agg(r)::text as all from recorded_requests r`);
    expect(rows[0]?.all).toContain('purchase 1');
    expect(rows[0]?.all).not.toMatch(new RegExp(`secret|${VALID_CARD_NUMBER}|ada@example`));
    // After 30 days its week ends.
    await api.pool.query(
      `update recorded_requests set at = at - interval '38 days' where transaction_id = 'purchase 1'`,
    );
    await api.app.get(RequestPruning).run();
    expect((await find('purchase 1')).body).toMatchObject({ request: null, events: { length: 4 } });
    expect((await find('bad')).status).toBe(200);
  });

  it('is written together with others, and later if the database refuses', async () => {
    const requests = api.app.get(RecordedRequests);
    const request = {
      at: '2026-11-22T12:00:00.000Z',
      method: 'POST',
      path: '/',
      actor: 'x',
      status: 200,
      duration_ms: 1,
    };
    await api.pool.query('alter table recorded_requests rename to hidden');
    requests.note({ ...request, transaction_id: 'later' });
    await expect(requests.flush()).rejects.toThrow();
    await api.pool.query('alter table hidden rename to recorded_requests');
    expect(await requests.of('later')).toHaveLength(1);
    // A reader waits for what is being written.
    requests.note({ ...request, transaction_id: 'under way' });
    const flushing = requests.flush();
    expect(await requests.of('under way')).toHaveLength(1);
    await flushing;
  });
});
