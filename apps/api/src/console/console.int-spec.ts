import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, startTestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { call } from '../../../../test/support/callers.js';

let api: TestApi;
beforeAll(async () => (api = await startTestApi()));
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  call(`${api.url}${path}`, 'GET', undefined, headers);
const PAGES = [
  '/',
  '/sign-in',
  '/invitation',
  '/orders',
  '/orders/ord_1?version=2',
  '/work',
  '/work/to_ship',
  '/buyers/ord_1',
  '/delivery',
  '/listings',
  '/listings/a-1',
  '/events',
  '/events/1001',
  '/jobs',
  '/reports',
  '/notices',
  '/settings/operators',
  '/settings/tokens',
  '/settings/clients',
  '/settings/keys',
  '/settings/webhooks',
  '/settings/catalogue',
  '/settings/audit',
  '/settings/mail',
  '/settings/policies',
  '/settings/fraud-rules',
  '/settings/projections',
  '/orders/',
  '/orders/ord_1/?version=2',
  '/settings/audit/',
];

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the console', () => {
  it.each(PAGES)('answers %s with the page', async (path) => {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<div id="root">');
  });

  it('has a strict policy, nothing inline, and files of this server only', async () => {
    const { text, headers } = await get('/orders');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${api.url}/shop/assets/ ${PUBLIC_URL}/assets/; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; ` +
        "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect(text).not.toMatch(/<style|<script(?![^>]* src=)|\s(?:style|on\w+)=|https?:/);
  });

  it('names its files by their content, below the path of PUBLIC_URL, and lets browsers keep them', async () => {
    const { text } = await get('/shop/orders');
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(text) ?? [];
    expect(script).toMatch(/^\/shop\/assets\/[\w-]+\.js$/);
    expect(text).toContain('<meta name="path-prefix" content="/shop" />');
    const file = await get(script);
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await get(script, { 'if-none-match': file.headers.get('etag') ?? '' })).status).toBe(304);
  });

  it('is revalidated by browsers, which get 304 while it is unchanged', async () => {
    const { headers } = await get('/orders');
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await get('/orders', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(['/settings', '/settings/nowhere', '/orders/a/b', '/shop/work/a/b'])(
    'says itself what it does not have, in a browser: %s',
    async (path) => {
      const page = await get(path, { accept: BROWSER });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<div id="root">');
      expect(page.headers.get('content-security-policy')).toContain(`script-src ${api.url}/shop/assets/`);
    },
  );

  it.each([
    '/nowhere',
    '/orders/a/b',
    '/settings',
    '/settings/nowhere',
    '/assets/nowhere.js',
    '/assets/..%2findex.html',
  ])('leaves %s an error in JSON', async (path) => {
    const { status, body } = await get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toHaveProperty('errors');
  });
});

describe('an address that nobody has', () => {
  it('is a page in a browser, without a script, with a strict policy and a way home', async () => {
    const { status, headers, text } = await get('/nope', { accept: BROWSER });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>There is nothing at this address</h1>');
    expect(text).toContain('<a href="/shop/">');
    expect(text).not.toMatch(/<script|\s(?:style|on\w+)=/);
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
  });

  it.each(['/checkout', '/checkout/v1/nope', '/backoffice/v1/nope', '/2/nope', '/2', '/stream/v1/nope', '/stream'])(
    'is an error in JSON below the surfaces of programs, in a browser too: %s',
    async (path) => {
      const [browser, program] = [await get(path, { accept: BROWSER }), await get(path)];
      expect([browser.status, browser.body]).toEqual([program.status, program.body]);
      expect(browser.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );
});
