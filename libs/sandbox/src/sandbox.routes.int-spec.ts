import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReceivedPingList } from './received-ping.contract.js';
import { ReadQueue } from './read-queue.js';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { call, codesOf, type Platform } from '../../../test/support/callers.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(() => api.pool.query('delete from sandbox_pings'));

/** The ping as the worker sends it, but to the sandbox instead of the platform. */
const ping = (from: Platform, orderId: string, query = '', headers = {}) =>
  from.send('POST', `/sandbox/markets/purchases/${orderId}/update${query}`, undefined, headers);

async function received(query = '') {
  const answer = await call(`${api.url}/sandbox/pings${query}`, 'GET');
  expect(answer.status).toBe(200);
  return ReceivedPingList.parse(answer.body);
}

const waitingReads = async () => (await api.app.get(ReadQueue, { strict: false }).depth()).waiting;

describe('a ping to the sandbox', () => {
  it('with a valid signature is acknowledged and stored, and its purchase will be read', async () => {
    const before = await waitingReads();
    const answer = await ping(api.payment, 'ord_1', '?ref_id=r%2F1%20%C3%A9', { 'x-xx-transaction-id': 'txn-1' });
    expect([answer.status, answer.body]).toEqual([200, { order_id: 'ord_1' }]);
    expect((await received()).pings).toMatchObject([
      {
        order_id: 'ord_1',
        ref_id: 'r/1 é',
        transaction_id: 'txn-1',
        client_id: api.payment.client.clientId,
        signature_valid: true,
        announcement: 1,
        state: 'waiting',
      },
    ]);
    expect(await waitingReads()).toBe(before + 1);
  });

  it('needs neither a ref_id nor a transaction id', async () => {
    expect((await ping(api.wholesale, 'ord_2')).status).toBe(200);
    expect((await received()).pings).toMatchObject([{ ref_id: null, transaction_id: null, client_id: 'wh-1' }]);
  });

  it('without a valid signature gets 401, is stored as such, and is not read', async () => {
    const before = await waitingReads();
    const answer = await call(`${api.url}/sandbox/markets/purchases/ord_1/update?ref_id=r`, 'POST');
    expect([answer.status, codesOf(answer), answer.headers.get('www-authenticate')]).toEqual([401, [40100], 'XX']);
    const wrong = await ping(api.payment, 'ord_1', '', { authorization: `XX pay-1:${'A'.repeat(27)}=` });
    expect(wrong.status).toBe(401);
    expect((await received()).pings).toMatchObject([
      { state: 'refused', signature_valid: false, client_id: null },
      { state: 'refused', ref_id: 'r' },
    ]);
    expect(await waitingReads()).toBe(before);
  });

  it.each(['?ref_id=%00', '?ref_id=a&ref_id=b', `?ref_id=${'x'.repeat(256)}`])(
    'with %s gets 400 and leaves nothing',
    async (query) => {
      const answer = await ping(api.payment, 'ord_1', query);
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
      expect((await received()).pings).toEqual([]);
    },
  );

  it('gets 503 while the queue is unreachable and stores nothing, because it will be repeated', async () => {
    const cutOff = await startTestApi({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const answer = await ping(cutOff.payment, 'ord_1');
      expect([answer.status, codesOf(answer), answer.headers.get('retry-after')]).toEqual([503, [50300], '5']);
      expect((await call(`${cutOff.url}/sandbox/pings`, 'GET')).body).toEqual({ pings: [], next_cursor: null });
    } finally {
      await cutOff.close();
    }
  });
});

describe('the received pings', () => {
  it('come newest first, in pages', async () => {
    for (const order of ['ord_1', 'ord_2', 'ord_3']) await ping(api.payment, order);
    const first = await received('?limit=2');
    expect(first.pings.map(({ order_id }) => order_id)).toEqual(['ord_3', 'ord_2']);
    const second = await received(`?limit=2&cursor=${first.next_cursor}`);
    expect(second.pings.map(({ order_id }) => order_id)).toEqual(['ord_1']);
    expect(second.next_cursor).toBeNull();
  });

  it.each(['?limit=0', '?limit=201', '?cursor=x', '?cursor=99999999999999999999'])('refuse %s', async (query) => {
    expect((await call(`${api.url}/sandbox/pings${query}`, 'GET')).status).toBe(400);
  });

  it('are shown on a page with a strict policy', async () => {
    await ping(api.payment, '%3Cb%3Eord', '?ref_id=%22%3E%3Cscript%3E');
    const page = await call(`${api.url}/sandbox`, 'GET');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toContain('&#60;b&#62;ord');
    expect(page.text.match(/<script/g)).toHaveLength(1);
  });

  it('are in the OpenAPI document', async () => {
    const { body } = await call(`${api.url}/openapi.json`, 'GET');
    const paths = (body as { paths: Record<string, object> }).paths;
    for (const [path, method] of [
      ['/sandbox', 'get'],
      ['/sandbox/pings', 'get'],
      ['/sandbox/markets/purchases/{order_id}/update', 'post'],
    ] as const) {
      expect(paths[path]).toHaveProperty(method);
    }
  });
});

describe('with a real platform', () => {
  it('there is no sandbox', async () => {
    const other = await startTestApi({ PLATFORM_URL: 'https://platform.example' });
    try {
      for (const [method, path] of [
        ['GET', '/sandbox'],
        ['GET', '/sandbox/pings'],
        ['POST', '/sandbox/markets/purchases/ord_1/update'],
      ] as const) {
        expect((await call(`${other.url}${path}`, method)).status).toBe(404);
      }
    } finally {
      await other.close();
    }
  });
});
