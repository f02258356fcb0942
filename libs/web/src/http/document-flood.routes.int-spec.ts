import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Clock } from '#base/clock';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1' });
  await get('/openapi.yaml');
});
afterAll(() => api.close());

/** Each address is a client of its own. */
async function get(path: string, { from = '192.0.2.1', ...headers }: Record<string, string> = {}) {
  const answer = await request(`${api.url}${path}`, { headers: { ...headers, 'x-forwarded-for': from } });
  return { ...answer, body: Buffer.from(await answer.body.arrayBuffer()) };
}

describe('the documents of /docs and the files of the console', () => {
  it.each(['/openapi.yaml', '/docs/swagger-ui-bundle.js'])(
    'are sent compressed, the same each time: %s',
    async (path) => {
      await get(path);
      const plain = await get(path);
      const zipped = await get(path, { 'accept-encoding': 'gzip' });
      expect([zipped.headers['content-encoding'], zipped.headers['vary']]).toEqual(['gzip', 'accept-encoding']);
      expect(zipped.body.length).toBeLessThan(plain.body.length / 3);
      expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
      expect((await get(path, { 'accept-encoding': 'gzip' })).body.equals(zipped.body)).toBe(true);
      expect(plain.headers['content-encoding']).toBeUndefined();
    },
  );

  it('are refused to a stranger who takes more than all readers do, and to nobody else', async () => {
    vi.spyOn(api.app.get(Clock), 'monotonic').mockReturnValue(performance.now());
    const { headers } = await get('/openapi.yaml');
    const flood = await Promise.all(Array.from({ length: 150 }, () => get('/openapi.yaml', { from: '192.0.2.66' })));
    const refused = flood.filter(({ statusCode }) => statusCode !== 200);
    expect(refused.length).toBeGreaterThan(50);
    for (const { statusCode, headers: told, body } of refused) {
      expect([statusCode, JSON.parse(body.toString())]).toMatchObject([429, { errors: [{ code: 42900 }] }]);
      expect(told['retry-after']).toMatch(/^[1-9]$/);
    }
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec((await get('/')).body.toString()) ?? [];
    for (const path of ['/openapi.yaml', script]) {
      expect((await get(path, { from: '192.0.2.66' })).statusCode, path).toBe(429);
      expect((await get(path)).statusCode, path).toBe(200);
    }
    // What one has already costs nothing.
    const known = { from: '192.0.2.66', 'if-none-match': String(headers['etag']) };
    expect((await get('/openapi.yaml', known)).statusCode).toBe(304);
  });
});
