import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '#base/free-port';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { call } from '../../../test/support/callers.js';

let api: TestApi;
afterEach(() => api.close());

const statusAt = async (address: string, path: string) =>
  (await call(`${address}${path}`, 'GET', undefined, {})).status;

describe('OPERATIONS_PORT', () => {
  it('has the metrics and the health checks, over plain HTTP, and nothing else', async () => {
    const port = await freePort();
    api = await startTestApi({ OPERATIONS_PORT: `${port}`, REQUIRE_HTTPS: 'true' });
    const operations = `http://127.0.0.1:${port}`;
    const metrics = await call(`${operations}/metrics`, 'GET', undefined, {});
    expect(metrics.text).toContain('willcall_http_connections ');
    for (const path of ['/health/live', '/health/ready']) {
      expect([path, await statusAt(operations, path), await statusAt(api.url, path)]).toEqual([path, 200, 200]);
    }
    for (const path of ['/', '/backoffice/v1/orders', '/openapi.json', '/metrics/x', '/sandbox']) {
      expect([path, await statusAt(operations, path)]).toEqual([path, 404]);
    }
  });

  it('takes the metrics away from PORT', async () => {
    api = await startTestApi({ OPERATIONS_PORT: `${await freePort()}` });
    expect([await statusAt(api.url, '/metrics'), await statusAt(api.url, '/metrics?x')]).toEqual([404, 404]);
  });

  it('that is taken does not keep the api from serving, and is in the log', async () => {
    const other: Server = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    api = await startTestApi({ OPERATIONS_PORT: `${address.port}` });
    expect(await statusAt(api.url, '/health/live')).toBe(200);
    expect(api.log.join('\n')).toMatch(/"level":"error","port":\d+,"code":"EADDRINUSE"/);
    other.close();
  });
});

describe('the documentation', () => {
  const PATHS = [
    '/asyncapi.json',
    '/openapi.json',
    '/openapi.yaml',
    '/docs',
    '/docs/swagger-ui-init.js',
    '/docs/swagger-ui.css',
  ];

  it('is bytes with a tag, which saves them', async () => {
    api = await startTestApi();
    for (const path of PATHS) {
      const first = await call(`${api.url}${path}`, 'GET', undefined, {});
      const again = await call(`${api.url}${path}`, 'GET', undefined, {});
      const tag = again.headers.get('etag') ?? '';
      expect([path, first.status, first.headers.get('etag'), again.text === first.text]).toEqual([
        path,
        200,
        tag,
        true,
      ]);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(tag).not.toBe('');
      const unchanged = await call(`${api.url}${path}`, 'GET', undefined, { 'if-none-match': tag });
      expect([path, unchanged.status, unchanged.text]).toEqual([path, 304, '']);
      const head = await call(`${api.url}${path}`, 'HEAD', undefined, {});
      expect([path, head.status, head.text]).toEqual([path, 200, '']);
    }
  });

  it('is switched off by DOCS=false', async () => {
    api = await startTestApi({ DOCS: 'false' });
    for (const path of PATHS) expect([path, await statusAt(api.url, path)]).toEqual([path, 404]);
  });
});
