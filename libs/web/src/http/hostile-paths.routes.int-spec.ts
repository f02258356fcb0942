import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { authorization, codesOf, PAYMENT, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { exchange, type RawAnswer, requestText } from '../../../../test/support/raw-http.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1');
});
afterAll(() => api.close());

/** A request for exactly that target, with a valid signature. */
async function signed(target: string, method = 'GET'): Promise<RawAnswer> {
  const header = authorization(PAYMENT, method, target.split('?')[0] ?? '');
  const [answer] = await exchange(api.url, requestText([`${method} ${target} HTTP/1.1`, `Authorization: ${header}`]));
  if (!answer) throw new Error(`${target} was not answered.`);
  return answer;
}

function expectError(answer: RawAnswer, status: number, code: number, what: string): void {
  expect({ what, status: answer.status, codes: codesOf(answer) }).toEqual({ what, status, codes: [code] });
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
}

const LISTING = '/checkout/v1/listings/lst-1';

describe('an ambiguous path is rejected, even with a valid signature', () => {
  it.each([
    `/${LISTING}`,
    '/checkout//v1/listings/lst-1',
    '/checkout/v1/listings//lst-1',
    '/checkout/v1/./listings/lst-1',
    '/checkout/v1/listings/../listings/lst-1',
    '/checkout/v1/listings/lst-1/.',
    '/checkout/v1/listings/lst-1/..',
    '/checkout/v1/listings/%2e%2e',
    '/checkout/v1%2flistings/lst-1',
    '/checkout/v1/listings%2Flst-1',
    '/checkout/v1/listings/..%2flst-1',
    '/checkout/v1/listings/%5clst-1',
    '/checkout/v1/listings/\\lst-1',
    '/checkout/v1/listings/lst-1%00',
    '/checkout/v1/listings/lst%0d%0a-1',
    '/checkout/v1/listings/%6cst-1',
    '/%63heckout/v1/listings/lst-1',
    '/checkout/v1/listings/%256c',
    '/checkout/v1/listings/%',
    '/checkout/v1/listings/%zz',
    '/checkout/v1/listings/%c0%af',
    '/checkout/v1/listings/%ff',
    '/checkout/v1/listings/%ed%a0%80',
    '/checkout/v1/listings/lst-1#',
    '/checkout/v1/listings/lst-1#?a=b',
    `http://localhost${LISTING}`,
    `HTTPS://localhost${LISTING}`,
    `${LISTING}/${'x'.repeat(2_048)}`,
    `/${'x/'.repeat(3_000)}`,
  ])('with 40001: %s', async (target) => {
    expectError(await signed(target), 400, 40001, target);
  });

  it.each(['\t', '\x00', '\x01', '\x7f', '\x0b', ' x', '\x80', '\xff', '\xc3\xa9'])(
    'with 40000, as no HTTP at all: %j',
    async (bytes) => expectError(await signed(`${LISTING}${bytes}`), 400, 40000, bytes),
  );

  it('with 40000: no path', async () => {
    expectError(await signed('checkout/v1/listings/lst-1'), 400, 40000, 'relative');
  });
});

describe('an unknown path', () => {
  it.each([
    '/checkout',
    '/checkout/',
    '/checkout/v1',
    '/checkout/v1/',
    '/checkout/v1/listings',
    '/checkout/v1/listings/',
    '/checkout/v1/listings/lst-1/',
    '/checkout/v1/listings/lst-1/more',
    '/checkout/v1/purchases',
    '/checkout/v1/purchases/',
    '/checkout/v1/purchases/ord_1/',
    '/checkout/v1/purchase/ord_1',
    '/checkout/v2/listings/lst-1',
    '/checkout/v0/listings/lst-1',
    '/checkout/v1.0/listings/lst-1',
    '/checkout/v01/listings/lst-1',
    '/checkout/1/listings/lst-1',
    '/checkout/listings/lst-1',
    '/v1/listings/lst-1',
    '/checkout/V1/listings/lst-1',
    '/Checkout/v1/listings/lst-1',
    '/checkout/v1/Listings/lst-1',
    '/checkout/v1;x=1/listings/lst-1',
    '/backoffice/v2/orders',
    '/Backoffice/v1/orders',
    '/backoffice/v1/orders/',
    '/__proto__',
    '/constructor/prototype',
    '/.env',
    '/.git/config',
  ])('gets 404 with 40400: %s', async (target) => {
    expectError(await signed(target), 404, 40400, target);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH', 'LOCK'])(
    'is one with another method: %s',
    async (method) => {
      for (const target of [LISTING, '/checkout/v1/purchases', '/checkout/v1/purchases/ord_1']) {
        const answer = await signed(target, method);
        expect([400, 404], `${method} ${target}`).toContain(answer.status);
        expect([[40000], [40400]]).toContainEqual(codesOf(answer));
      }
    },
  );
});

describe('ids', () => {
  it('may contain characters of paths, and match only themselves', async () => {
    for (const id of [
      `lst-1;x=1`,
      'lst-1.json',
      "lst-1'--",
      'lst-1&a',
      '@lst-1',
      'LST-1',
      '__proto__',
      'constructor',
    ]) {
      expectError(await signed(`/checkout/v1/listings/${id}`), 400, 40012, id);
      expectError(await signed(`/checkout/v1/purchases/${id}`), 400, 40040, id);
    }
  });

  it('of the back office get 404 if they are unknown', async () => {
    for (const path of ['orders/x', 'orders/__proto__', `orders/${'x'.repeat(1_900)}`, 'pings/x', 'pings/png_1_1']) {
      const lines = [`GET /backoffice/v1/${path} HTTP/1.1`, `Authorization: Bearer ${STAFF_TOKEN}`];
      const [answer] = await exchange(api.url, requestText(lines));
      expect({ status: answer?.status, codes: codesOf(answer ?? { body: {} }) }).toEqual({
        status: 404,
        codes: [40400],
      });
    }
  });
});
