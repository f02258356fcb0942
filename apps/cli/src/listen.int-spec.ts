import { createServer, type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { quietPort } from '../../../test/support/quiet-port.js';
import { addEntries } from '../../../test/support/ping-stream/stream-entries.js';
import { until } from '../../../test/support/until.js';
import { isSignedWith, acceptWebhook, WebhookDouble } from '../../../test/support/webhooks/webhook-double.js';
import { listenCommand } from './listen.js';
import { UsageError, UserError } from './terminal/user-error.js';

let api: TestApi;
let receiver: WebhookDouble;
let proxy: Server;
let last = 0;
const open = new Set<Socket>();
const printed = vi.spyOn(console, 'log').mockReturnValue();
const consoleError = vi.spyOn(console, 'error').mockReturnValue();

beforeAll(async () => {
  api = await startTestApi();
  receiver = await WebhookDouble.start();
  const { port, hostname } = new URL(api.url);
  proxy = createServer((socket) => {
    const behind = connect(Number(port), hostname);
    for (const each of [socket, behind]) open.add(each.on('error', () => undefined));
    socket.pipe(behind).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  cut();
  proxy.close();
  await receiver.stop();
  await api.close();
});
beforeEach(() => {
  receiver.answering = acceptWebhook;
  receiver.received.length = 0;
  printed.mockClear();
  consoleError.mockClear();
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const environment = { ...apiEnvironment(api.databaseUrl), PUBLIC_URL: url };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

function cut(): void {
  for (const socket of open) socket.destroy();
  open.clear();
}

const output = () => printed.mock.calls.flat().join('\n');

/** Positions are even numbers. */
async function happen(count: number): Promise<void> {
  await addEntries(api.pool, last, count);
  last += 2 * count;
}

/** Runs until `done`, then stops like after Ctrl-C. */
async function listening(done: () => Promise<unknown>, ...words: string[]): Promise<void> {
  const stop = new AbortController();
  const command = listenCommand((work) => work(stop.signal));
  const forward = ['--forward-to', `${receiver.url}/hooks`];
  const running = command.parseAsync([...forward, ...words], { from: 'user' });
  await Promise.race([done(), running]);
  stop.abort();
  await running;
}

describe('listen', () => {
  it('forwards each entry, signed with the printed secret, and prints a line', async () => {
    await happen(2);
    await listening(() => until(() => output().split(' ms').length > 2), '--after', '0');
    const secret = /^secret {2}(whsec_\S+)$/m.exec(output())?.[1] ?? '';
    expect(receiver.received.map(({ position, path }) => [position, path])).toEqual([
      [2, '/hooks'],
      [4, '/hooks'],
    ]);
    for (const received of receiver.received) expect(isSignedWith(secret, received)).toBe(true);
    const { orderId, body, headers } = receiver.received[0]!;
    expect(JSON.parse(body)).toMatchObject({ type: 'order.status', data: { id: headers['webhook-id'] } });
    expect(output()).toMatch(
      new RegExp(`^\\S+Z {2}order\\.status {2}${orderId} {2}\\d{4} [^\\n]+ {2}204 {2}\\d+ ms$`, 'm'),
    );
  });

  it('reports a failure and continues', async () => {
    const [first] = [last + 2];
    receiver.answering = ({ position }) => ({ status: position === first ? 500 : 204 });
    const after = String(last);
    await happen(2);
    await listening(
      () => until(() => receiver.received.length === 2 && /204 {2}\d+ ms/.test(output())),
      '--after',
      after,
    );
    expect(output()).toMatch(/ {2}500 {2}\d+ ms {2}FAILED$/m);
    receiver.received.length = 0;
    const nobody = `http://127.0.0.1:${await quietPort()}`;
    const failed = () => until(() => output().includes('ECONNREFUSED'));
    await listening(failed, '--after', after, '--forward-to', nobody);
    expect(output()).toMatch(/the connection failed: ECONNREFUSED {2}\d+ ms {2}FAILED$/m);
  });

  it('resumes after a lost connection, with each entry once', async () => {
    const after = last;
    await happen(1);
    await listening(
      async () => {
        await until(() => receiver.received.length === 1);
        cut();
        await happen(2);
        await until(() => receiver.received.length >= 3);
      },
      '--after',
      String(after),
    );
    expect(receiver.received.map(({ position }) => position)).toEqual([after + 2, after + 4, after + 6]);
    expect(consoleError.mock.calls.flat().join('\n')).toMatch(/; again in \d\.\d s/);
  });

  it('reports errors', async () => {
    const never = () => new Promise(() => undefined);
    await expect(listening(never, '--forward-to', 'here')).rejects.toThrow(UsageError);
    await expect(listening(never, '--secret', 'whsec_short')).rejects.toThrow(/--secret must be whsec_/);
    await expect(listening(never, '--token', 'wst_none')).rejects.toThrow(UserError);
  });
});
