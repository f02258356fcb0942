import { afterEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { authorization, call, codesOf, PAYMENT } from '../../../../test/support/callers.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { exchange, RawConnection, requestText } from '../../../../test/support/raw-http.js';
import { until } from '../../../../test/support/until.js';

const LISTING = '/checkout/v1/listings/lst-1';
const GET = [`GET ${LISTING} HTTP/1.1`, `Authorization: ${authorization(PAYMENT, 'GET', LISTING)}`];

let api: TestApi;
afterEach(() => api.close());

describe('with REQUIRE_HTTPS', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    call(`${api.url}${path}`, 'GET', undefined, { authorization: authorization(PAYMENT, 'GET', path), ...headers });

  it('only health checks are served over plain HTTP, whatever an untrusted client claims', async () => {
    api = await startTestApi({ REQUIRE_HTTPS: 'true' });
    for (const headers of [{}, { 'x-forwarded-proto': 'https' }, { forwarded: 'proto=https' }]) {
      for (const path of [LISTING, '/backoffice/v1/orders', '/openapi.json', '/nowhere']) {
        const answer = await get(path, headers);
        expect([answer.status, codesOf(answer)], path).toEqual([403, [40300]]);
      }
    }
    expect((await get('/health/live')).status).toBe(200);
    expect((await get('/health/ready')).status).toBe(200);
  });

  it('a trusted proxy is believed', async () => {
    api = await startTestApi({ REQUIRE_HTTPS: 'true', TRUST_PROXY: '127.0.0.0/8' });
    expect((await get('/nowhere', { 'x-forwarded-proto': 'https' })).status).toBe(404);
    expect((await get(LISTING, { 'x-forwarded-proto': 'https' })).status).toBe(400);
    expect((await get(LISTING, { 'x-forwarded-proto': 'http' })).status).toBe(403);
    expect((await get(LISTING)).status).toBe(403);
  });
});

describe('a client that exceeds its rate', () => {
  it('learns when to retry, and others are not affected', async () => {
    api = await startTestApi({ CHECKOUT_RATE_PER_SECOND: '1' });
    await api.staff.putListing('lst-1');
    for (const _ of [1, 2, 3, 4]) expect((await call(`${api.url}${LISTING}`, 'GET')).status).toBe(401);
    // A bucket has two seconds' worth. Ten at once are more, however slow the machine is.
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.payment.lookUp('lst-1')));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect([answer.status, codesOf(answer), answer.headers.get('retry-after')]).toEqual([429, [42900], '1']);
    }
    expect((await api.wholesale.lookUp('lst-1')).status).toBe(200);
    await until(async () => (await api.payment.lookUp('lst-1')).status === 200);
  });
});

describe('an api that is stopping', () => {
  it('answers its current requests, announces that the connection closes, and accepts no new one', async () => {
    api = await startTestApi();
    await api.staff.putListing('lst-1');
    const seller = await api.pool.connect();
    await seller.query(`begin; select from listings where id = 'lst-1' for update`);
    const body = JSON.stringify(cardBody());
    const path = '/checkout/v1/purchases';
    const purchase = [`POST ${path} HTTP/1.1`, `Authorization: ${authorization(PAYMENT, 'POST', path, body)}`];
    const connection = new RawConnection(api.url);
    connection.send(requestText(purchase, body));
    await until(async () => {
      const { rows } = await api.pool.query('select from pg_locks where not granted');
      return rows.length > 0;
    });
    const closing = api.app.close();
    await until(() => exchange(api.url, requestText(GET)).then((none) => none.length === 0));
    await seller.query('commit');
    seller.release();
    const [answer] = await connection.answers(1);
    expect([answer?.status, answer?.headers['connection']]).toEqual([201, 'close']);
    await closing;
  });
});
