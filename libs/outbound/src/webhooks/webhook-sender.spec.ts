import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { acceptWebhook, WebhookDouble } from '../../../../test/support/webhooks/webhook-double.js';
import { AddressGuard, type Resolve } from '#delivery-kit/address-guard';
import { WebhookSender } from './webhook-sender.js';

const PUBLIC = { address: '93.184.216.34', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const MESSAGE = { webhookId: 'whk_1', headers: { 'webhook-id': 'png_1' }, body: '{"data":{}}' };

let receiver: WebhookDouble;
let connected: number;
let listening: Server;
const senders: WebhookSender[] = [];
beforeAll(async () => {
  receiver = await WebhookDouble.start();
  // A connection at all would be a failure.
  listening = createServer()
    .on('connection', () => (connected += 1))
    .listen(0, '127.0.0.1');
  await once(listening, 'listening');
});
afterAll(async () => {
  await receiver.stop();
  listening.closeAllConnections();
  listening.close();
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  receiver.answering = acceptWebhook;
  receiver.received.length = 0;
});

function sender(guard = new AddressGuard(true), timeoutMs = 5_000): WebhookSender {
  connected = 0;
  const created = new WebhookSender(guard, new FixedClock(), { timeoutMs, connections: 2 });
  senders.push(created);
  return created;
}

const post = (url: string, by = sender()) => by.send({ ...MESSAGE, url });
const privatePort = () => (listening.address() as AddressInfo).port;

describe('a webhook over the wire', () => {
  it('is a POST with its headers and body, to the path and query of the address', async () => {
    expect(await post(`${receiver.url}/hook?a=b`)).toEqual({ httpStatus: 204, error: null, answer: null });
    expect(receiver.received[0]).toMatchObject({ path: '/hook?a=b', body: MESSAGE.body });
    expect(receiver.received[0]?.headers['webhook-id']).toBe('png_1');
  });

  it('is also sent after requests that undici rejected as invalid', async () => {
    const one = sender();
    for (let time = 1; time <= 3; time += 1) {
      const invalidMessage = { ...MESSAGE, url: receiver.url, headers: { 'x-id': 'not\u0000sendable' } };
      expect(await one.send(invalidMessage)).toMatchObject({ httpStatus: null, error: expect.any(String) });
    }
    expect(await post(receiver.url, one)).toMatchObject({ httpStatus: 204 });
  });

  it.each([201, 204, 299])('is delivered by a %i', async (status) => {
    receiver.answering = () => ({ status });
    expect(await post(receiver.url)).toMatchObject({ httpStatus: status, error: null });
  });

  it.each([301, 302, 307, 308])('follows no redirect: %i is a failure', async (status) => {
    const location = `http://127.0.0.1:${privatePort()}/`;
    receiver.answering = () => ({ status, headers: { location } });
    expect(await post(receiver.url)).toMatchObject({ httpStatus: status, error: `the receiver answered ${status}` });
    expect(connected).toBe(0);
  });

  it('stores 2 KiB of the response, and reads at most 64', async () => {
    receiver.answering = () => ({ status: 500, body: 'é'.repeat(100_000) });
    const { answer } = await post(receiver.url);
    expect(answer).toBe('é'.repeat(1_024));
  });

  it.each([429, 503])('learns of a %i how long to wait', async (status) => {
    receiver.answering = () => ({ status, headers: { 'retry-after': '7' } });
    expect(await post(receiver.url)).toMatchObject({ retryAfterMs: 7_000 });
    receiver.answering = () => ({ status: 500, headers: { 'retry-after': '7' } });
    expect((await post(receiver.url)).retryAfterMs).toBeUndefined();
  });

  it('ends with the time-out, even if the response has begun and never ends', async () => {
    receiver.answering = (_, response) => {
      response.writeHead(200).write('and so');
      return new Promise(() => undefined);
    };
    expect(await post(receiver.url, sender(undefined, 100))).toMatchObject({ error: 'no answer within 100 ms' });
  });

  it('connects to a name by its addresses', async () => {
    expect(await post(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ httpStatus: 204 });
    const by = sender(new AddressGuard(true, async () => [LOOPBACK]));
    expect(await post(receiver.url.replace('127.0.0.1', 'hooks.example.com'), by)).toMatchObject({ httpStatus: 204 });
    expect(receiver.received[1]?.headers['host']).toMatch(/^hooks\.example\.com:/);
  });

  it('reports that nobody listens', async () => {
    const { error, httpStatus } = await post('http://127.0.0.1:1024');
    expect([error, httpStatus]).toEqual(['the connection failed: ECONNREFUSED', null]);
  });

  it('has its own connections: a receiver that hangs does not delay another one at the same address', async () => {
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    receiver.answering = async ({ headers }) => {
      if (headers['webhook-id'] === 'slow') await held;
      return {};
    };
    const by = sender();
    const slow = Array.from({ length: 4 }, () =>
      by.send({ ...MESSAGE, headers: { 'webhook-id': 'slow' }, url: receiver.url }),
    );
    expect(await by.send({ ...MESSAGE, webhookId: 'whk_2', url: receiver.url })).toMatchObject({ httpStatus: 204 });
    answer();
    await Promise.all(slow);
  });
});

describe('an address that is not on the public internet', () => {
  const strict = (resolve: Resolve) => sender(new AddressGuard(false, resolve));

  it('is rejected as a number', async () => {
    const by = strict(async () => [PUBLIC]);
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.1', '[::ffff:127.0.0.1]', '[::1]']) {
      const { error } = await post(`https://${host}:${privatePort()}/`, by);
      expect(error).toBe('the address must lead to a public address');
    }
    expect(connected).toBe(0);
  });

  it('is rejected behind a name, even as one of several', async () => {
    for (const found of [[LOOPBACK], [PUBLIC, LOOPBACK], [{ address: '::ffff:7f00:1', family: 6 }], []]) {
      const by = strict(async () => found);
      const { error } = await post(`https://hooks.example.com:${privatePort()}/`, by);
      expect(error).toBe('the connection failed: ADDRESS_NOT_PUBLIC');
    }
    expect(connected).toBe(0);
  });

  it('is rejected even if the name led elsewhere when it was checked', async () => {
    const answers = [[PUBLIC], [LOOPBACK]];
    const guard = new AddressGuard(false, async () => answers.shift() ?? [LOOPBACK]);
    const url = `https://rebinding.example.com:${privatePort()}/`;
    expect(await guard.checkAddress(url)).toBeUndefined();
    expect(await post(url, sender(guard))).toMatchObject({ error: 'the connection failed: ADDRESS_NOT_PUBLIC' });
    expect(connected).toBe(0);
  });

  it('is never connected to: the connection uses exactly the checked address, which is resolved once', async () => {
    let lookups = 0;
    const guard = new AddressGuard(false, async () => (lookups++ === 0 ? [PUBLIC] : [LOOPBACK]));
    const connectedTo = await new Promise<string | LookupAddress[]>((resolve, reject) => {
      guard.lookup('rebinding.example.com', { all: true }, (error, address) =>
        error ? reject(error) : resolve(address),
      );
    });
    expect([connectedTo, lookups]).toEqual([[PUBLIC], 1]);
  });

  it('is rejected when the webhook is created', async () => {
    const guard = new AddressGuard(false, async (name) => {
      if (name === 'nowhere.example.com') throw new Error('ENOTFOUND');
      return name === 'inside.example.com' ? [PUBLIC, LOOPBACK] : [PUBLIC];
    });
    expect(await guard.checkAddress('https://hooks.example.com/')).toBeUndefined();
    expect(await guard.checkAddress('https://inside.example.com/')).toBe('must lead to a public address');
    // The name may be set up later, or DNS may be down. Each connection resolves it again.
    expect(await guard.checkAddress('https://nowhere.example.com/')).toBeUndefined();
    expect(await guard.checkAddress('https://10.0.0.1/')).toBe('must lead to a public address');
  });

  it('does not delay the creation of the webhook for long', async () => {
    const guard = new AddressGuard(false, () => new Promise(() => undefined), 20);
    expect(await guard.checkAddress('https://slow.example.com/')).toBeUndefined();
  });

  it('is looked up once at a time per name', async () => {
    let lookups = 0;
    const guard = new AddressGuard(false, async () => {
      lookups += 1;
      await sleep(20);
      return [PUBLIC];
    });
    await Promise.all(Array.from({ length: 10 }, () => guard.checkAddress('https://slow.example.com/')));
    expect(lookups).toBe(1);
  });
});
