import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { authorization, call, PAYMENT, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { exchange } from '../../../../test/support/raw-http.js';

const LISTING = '/checkout/v1/listings/lst-1';
const BEARER = { authorization: `Bearer ${STAFF_TOKEN}` };

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1', DISCOVERY_CLIENT_ID: 'key' });
  await api.staff.putListing('lst-1');
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  call(`${api.url}${path}`, 'GET', undefined, headers);

describe('every answer', () => {
  it.each<[string, number, Record<string, string>]>([
    [LISTING, 200, { authorization: authorization(PAYMENT, 'GET', LISTING) }],
    [LISTING, 401, {}],
    ['/backoffice/v1/orders', 200, BEARER],
    ['/backoffice/v1/orders', 401, {}],
    ['/backoffice/v1/orders/unknown', 404, BEARER],
    ['/stream/v1/pings', 200, BEARER],
    ['/sandbox', 200, {}],
    ['/sandbox/pings', 200, {}],
    ['/health/ready', 200, {}],
    ['/metrics', 200, {}],
    ['/2/events', 403, {}],
    ['/nowhere', 404, {}],
    ['/%zz', 400, {}],
  ])('is kept by nobody, read as what it says and shown in no frame: %s %i', async (path, status, headers) => {
    const answer = await get(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expectSafe(answer.headers);
  });

  it.each(['/', '/orders', '/about', '/docs', '/openapi.json', '/2/events?client_id=key', '/e/none'])(
    'that may be kept has the other headers too: %s',
    async (path) => expectSafe((await get(path)).headers),
  );

  it('over HTTPS keeps browsers there, also behind a proxy', async () => {
    const over = async (scheme: string) =>
      (await get('/health/live', { 'x-forwarded-proto': scheme })).headers.get('strict-transport-security');
    expect([await over('https'), await over('http')]).toEqual(['max-age=31536000', null]);
  });

  it('to what is not HTTP has them as well', async () => {
    const [answer] = await exchange(api.url, 'nonsense\r\n\r\n');
    expect(answer?.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('of a live stream is kept by nobody', async () => {
    const stop = new AbortController();
    const { headers } = await fetch(`${api.url}/stream/v1/pings/live`, { headers: BEARER, signal: stop.signal });
    stop.abort();
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expectSafe(headers);
  });
});

function expectSafe(headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
}
