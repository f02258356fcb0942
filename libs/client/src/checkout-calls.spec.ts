import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckoutCalls, type CallOptions, type Attempt } from './checkout-calls.js';
import { resolveDependencies } from './dependencies.js';
import { authorizationFor } from './signature.js';

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Answer = (response: ServerResponse) => void;

const answer =
  (status: number, body = '{}', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);
const hangUp: Answer = (response) => response.socket?.destroy();

const CREDENTIALS = { clientId: 'platform-1', secret: 'a-secret-of-sixteen' };

let server: Server;
let url: string;
let answers: Answer[];
let seen: Seen[];
let pauses: number[];

beforeEach(async () => {
  [answers, seen, pauses] = [[], [], []];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      (answers.shift() ?? answer(200))(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/checkout`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

function client(options: CallOptions = {}, at = url): CheckoutCalls {
  const sleep = async (ms: number) => pauses.push(ms);
  const now = () => Date.parse('2026-11-21T12:00:00.000Z');
  const dependencies = resolveDependencies({ now, sleep, random: () => 0 });
  return new CheckoutCalls({ url: at, scheme: 'TP' }, CREDENTIALS, dependencies, options);
}

describe('a call', () => {
  it('is signed over method, path and body, without the query', async () => {
    await client().lookup('lst 1/a', { quantity: 2, country: 'US', state: undefined }, { transactionId: 'txn-1' });
    await client().buy({ product: { total: 1 }, note: 'é' }, { transactionId: 'txn-2' });
    await client().purchase('ord_1');
    expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'GET /shop/checkout/v1/listings/lst%201%2Fa?quantity=2&country=US',
      'POST /shop/checkout/v1/purchases',
      'GET /shop/checkout/v1/purchases/ord_1',
    ]);
    expect(seen.map(({ headers }) => headers['x-tp-transaction-id'])).toEqual(['txn-1', 'txn-2', undefined]);
    for (const { method, url: path, headers, body } of seen) {
      const signed = { method, path: path.split('?')[0] ?? '', body };
      expect(headers.authorization).toBe(authorizationFor(signed, CREDENTIALS, 'TP'));
    }
    expect(seen[1]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(seen[1]?.body ?? '')).toEqual({ product: { total: 1 }, note: 'é' });
  });

  it('returns the status and the JSON of the answer, and undefined for other bodies', async () => {
    answers = [answer(400, '{"errors":[{"code":40012,"message":"Invalid listing id"}]}'), answer(200, '<html>')];
    expect(await client().lookup('x', {})).toMatchObject({ status: 400, body: { errors: [{ code: 40012 }] } });
    expect(await client().lookup('x', {})).toMatchObject({ answered: true, status: 200, body: undefined });
  });
});

describe('a GET that failed', () => {
  it('is retried after growing waits, on a lost connection, a 5xx and a 429', async () => {
    answers = [hangUp, answer(500), answer(503), answer(429), answer(502), answer(200, '{"id":"ord_1"}')];
    expect(await client().purchase('ord_1', { transactionId: 'txn-1' })).toMatchObject({
      status: 200,
      body: { id: 'ord_1' },
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(new Set(seen.map(({ headers }) => headers['x-tp-transaction-id']))).toEqual(new Set(['txn-1']));
  });

  it('stops after the sixth try, with the last answer', async () => {
    answers = Array.from({ length: 7 }, () => answer(503));
    expect(await client().purchase('ord_1')).toMatchObject({ answered: true, status: 503 });
    expect(seen).toHaveLength(6);
    expect(pauses).toHaveLength(5);
  });

  it('waits as long as Retry-After says, at most 30 s', async () => {
    const date = 'Sat, 21 Nov 2026 12:00:07 GMT';
    answers = [
      answer(429, '{}', { 'retry-after': '3' }),
      answer(503, '{}', { 'retry-after': date }),
      answer(429, '{}', { 'retry-after': '3600' }),
    ];
    await client().purchase('ord_1');
    expect(pauses).toEqual([3_000, 7_000, 30_000]);
  });

  it('is reported with the wait that follows', async () => {
    answers = [answer(503)];
    const tries: Attempt[] = [];
    await client({ onTry: (made) => tries.push(made) }).lookup('lst-1', { quantity: '1' });
    expect(tries.map(({ outcome, waitMs }) => [outcome.answered && outcome.status, waitMs])).toEqual([
      [503, 500],
      [200, undefined],
    ]);
    expect(tries[0]?.sent).toMatchObject({ path: '/shop/checkout/v1/listings/lst-1', search: '?quantity=1' });
  });

  it.each([200, 301, 400, 401, 403, 404])('is not tried again after a %i', async (status) => {
    answers = [answer(status)];
    expect(await client().purchase('ord_1')).toMatchObject({ status });
    expect(seen).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('has no answer if nobody listens, and says why', async () => {
    server.close();
    await once(server, 'close');
    expect(await client().purchase('ord_1')).toEqual({ answered: false, error: 'the connection failed: ECONNREFUSED' });
    expect(pauses).toHaveLength(5);
  });
});

describe('a purchase', () => {
  it.each([
    ['a lost connection', hangUp],
    ['a 500', answer(500)],
    ['a 503 with Retry-After', answer(503, '{}', { 'retry-after': '1' })],
    ['a 429', answer(429, '{}', { 'retry-after': '1' })],
  ])('is sent once, also after %s', async (_what, first) => {
    answers = [first];
    await client().buy({ ref_id: 'r-1' });
    expect(seen).toHaveLength(1);
    expect(pauses).toEqual([]);
  });
});
