import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { RawConnection } from '../../../../test/support/raw-http.js';
import { until } from '../../../../test/support/until.js';

const HEADERS_TIMEOUT_MS = 200;
const REQUEST_TIMEOUT_MS = 600;
const GET = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
const SLOW_POST =
  'POST /backoffice/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';

let api: TestApi;
let server: Server;
let connection: RawConnection;

beforeAll(async () => {
  api = await startTestApi();
  server = api.app.getHttpServer() as Server;
  Object.assign(server, { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS });
});
afterAll(() => api.close());

const untilConnected = (wanted: number) =>
  until(() => new Promise<boolean>((found) => server.getConnections((_, count) => found(count === wanted))));
beforeEach(async () => {
  connection = new RawConnection(api.url);
  await untilConnected(1);
});
afterEach(async () => {
  connection.close();
  await untilConnected(0);
});

/** Longer than both time-outs and the second in which Node looks for them. */
const keepBusy = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
const statuses = async (within = 10_000) => (await connection.answers(1, within)).map(({ status }) => status);

it('answers the first request of a connection that arrived while the process was busy', async () => {
  connection.send(GET);
  keepBusy();
  expect(await statuses()).toEqual([200]);
});

it('answers a request whose body arrived while the process was busy', async () => {
  const asked = new Promise((begun) => server.once('request', begun));
  connection.send(SLOW_POST);
  await asked;
  connection.send('{}');
  keepBusy();
  expect(await statuses()).toEqual([400]);
});

it('still ends a request whose body never arrives after headers that came late', async () => {
  connection.send(SLOW_POST);
  keepBusy();
  expect(await statuses()).toEqual([408]);
});

it('closes a connection that was never used without an answer, so that a browser asks again on another', async () => {
  expect(await statuses()).toEqual([]);
});
