import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { until } from '../../../../test/support/until.js';

let api: TestApi;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.close();
});

/** Undefined while it is open, else whether the server closed it. */
function connection(localAddress: string): { isClosed: () => boolean; socket: Socket } {
  const { hostname, port } = new URL(api.url);
  let closed = false;
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  socket.on('error', () => undefined).on('close', () => (closed = true));
  socket.resume();
  sockets.push(socket);
  return { isClosed: () => closed, socket };
}

const served = async (localAddress: string) => {
  const { socket, isClosed } = connection(localAddress);
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => isClosed() || text.includes('\r\n\r\n'), { withinMs: 10_000 });
  return text.startsWith('HTTP/1.1 200');
};

it('an address has at most its number of connections, and the others are not affected', async () => {
  api = await startTestApi({ MAX_CONNECTIONS_PER_ADDRESS: '5' });
  for (let count = 1; count <= 5; count += 1) expect(await served('127.0.0.2')).toBe(true);
  expect([await served('127.0.0.2'), await served('127.0.0.2')]).toEqual([false, false]);
  expect(await served('127.0.0.3')).toBe(true);
  expect((await call(`${api.url}/metrics`, 'GET', undefined, {})).text).toContain(
    'willcall_http_connections_ended{reason="address_limit"} 2',
  );
  sockets[0]?.destroy();
  await until(() => served('127.0.0.2'), { withinMs: 10_000 });
});

it('behind a trusted proxy the requests in hand of each client are counted instead', async () => {
  api = await startTestApi({ MAX_CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: '127.0.0.0/8' });
  const waiting = new AbortController();
  const read = (client: string, wait: number) =>
    fetch(`${api.url}/stream/v1/pings?wait=${wait}`, {
      headers: { authorization: `Bearer ${STAFF_TOKEN}`, 'x-forwarded-for': client },
      signal: waiting.signal,
    });
  const polls = [1, 2, 3].map(() => read('192.0.2.1', 30).catch(() => undefined));
  const metrics = async () => (await call(`${api.url}/metrics`, 'GET', undefined, {})).text;
  await until(async () => (await metrics()).includes('willcall_stream_readers{state="waiting"} 3'));
  const refused = await call(`${api.url}/health/live`, 'GET', undefined, { 'x-forwarded-for': '192.0.2.1' });
  expect([refused.status, codesOf(refused), refused.headers.get('retry-after')]).toEqual([429, [42900], '1']);
  expect((await read('192.0.2.2', 0)).status).toBe(200);
  waiting.abort();
  await Promise.all(polls);
  const isServed = async () =>
    (await call(`${api.url}/health/live`, 'GET', undefined, { 'x-forwarded-for': '192.0.2.1' })).status === 200;
  await until(isServed, { withinMs: 10_000 });
});
