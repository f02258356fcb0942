import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlatformClient } from './platform-client.js';
import { authorizationHeader, verify } from '#base/signature';
import { RequestVerifier } from './verify-request.js';

// Test files of one worker share their modules, so the mock must not affect other files.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

// Counts the comparisons, whose time a stranger could measure.
vi.mock('#base/signature', async (original) => {
  const signature = await original<typeof import('#base/signature')>();
  return { ...signature, verify: vi.fn(signature.verify) };
});

const OLD = 'the secret that was first';
const NEW = 'the secret of the rotation';
const signable = { method: 'POST', path: '/checkout/v1/purchases', body: Buffer.from('{"a": 1}') };

let clients: Map<string, PlatformClient>;
/** The result of the next read. */
let elsewhere: Map<string, PlatformClient> | undefined;
let readings: number;

const registry = {
  findCached: async (clientId: string) => clients.get(clientId),
  refresh: async () => {
    readings += 1;
    clients = elsewhere ?? clients;
    return elsewhere !== undefined;
  },
};
const verifier = new RequestVerifier(registry, { CHECKOUT_SCHEME: 'XX' });

function client(...secrets: string[]): PlatformClient {
  return new PlatformClient(
    'platform-1',
    'wholesale',
    secrets.map((secret) => Buffer.from(secret)),
  );
}

function received(secret: string, clientId = 'platform-1') {
  const header = authorizationHeader('XX', clientId, { ...signable, secret });
  return {
    ...signable,
    rawUrl: `${signable.path}?not=signed`,
    rawHeaders: ['Host', 'here', 'AUTHORIZATION', header, 'X-Authorization', 'x'],
  };
}

beforeEach(() => {
  clients = new Map([['platform-1', client(NEW, OLD)]]);
  elsewhere = undefined;
  readings = 0;
  vi.mocked(verify).mockClear();
});

describe('a request', () => {
  it.each([NEW, OLD])('is verified by any live secret', async (secret) => {
    expect(await verifier.verify(received(secret))).toEqual({
      clientId: 'platform-1',
      variant: 'wholesale',
      requireRefId: false,
    });
    expect(readings).toBe(0);
  });

  it('is rejected if any part of it is different', async () => {
    const good = received(NEW);
    const changed = [
      { ...good, body: Buffer.from('{"a":1}') },
      { ...good, method: 'PUT' },
      { ...good, rawUrl: '/checkout/v1/purchases/' },
      { ...good, rawUrl: '/v1/purchases' },
      received('another secret'),
      received(NEW, 'platform-2'),
    ];
    for (const request of changed) expect(await verifier.verify(request)).toBeUndefined();
  });

  it('must have exactly one Authorization header', async () => {
    const good = received(NEW);
    const [, , name = '', value = ''] = good.rawHeaders;
    const rejected = [[], [name, ''], [name, value, 'authorization', value], [name, value, name, ''], ['X', value]];
    for (const rawHeaders of rejected) expect(await verifier.verify({ ...good, rawHeaders })).toBeUndefined();
    expect(await verifier.verify({ ...good, rawHeaders: [name, value] })).toBeDefined();
  });

  it('of a client without a live secret is rejected', async () => {
    clients = new Map([['platform-1', client()]]);
    expect(await verifier.verify(received(NEW))).toBeUndefined();
  });

  it('is checked again if another process has created the client or its secret', async () => {
    clients = new Map();
    elsewhere = new Map([['platform-1', client(OLD)]]);
    expect(await verifier.verify(received(OLD))).toBeDefined();
    elsewhere = new Map([['platform-1', client(NEW, OLD)]]);
    expect(await verifier.verify(received(NEW))).toBeDefined();
    expect(readings).toBe(2);
  });

  it.each([undefined, new Map([['platform-1', client(NEW)]])])(
    'costs the same whether the client is unknown, the signature is wrong or one secret is missing',
    async (found) => {
      const work: unknown[] = [];
      for (const request of [received('wrong'), received('wrong', 'nobody')]) {
        for (const secrets of [[], [OLD], [NEW, OLD]]) {
          clients = new Map([['platform-1', client(...secrets)]]);
          elsewhere = found;
          readings = 0;
          vi.mocked(verify).mockClear();
          expect(await verifier.verify(request)).toBeUndefined();
          work.push([readings, vi.mocked(verify).mock.calls.length]);
        }
      }
      expect(new Set(work.map(String))).toEqual(new Set([found ? '1,4' : '1,2']));
    },
  );
});

describe('a client', () => {
  it('does not reveal its secrets', () => {
    const one = client(NEW, OLD);
    const everything = { depth: 9, showHidden: true, getters: true };
    const shown = [JSON.stringify([one]), ...[one, [one]].map((it) => inspect(it, everything))];
    const bytes = inspect(Buffer.from(NEW)).slice(8, 20);
    for (const text of shown) for (const secret of [NEW, OLD, bytes]) expect(text).not.toContain(secret);
    for (const copy of [JSON.parse(JSON.stringify(one)), structuredClone(one)]) {
      expect(copy).toMatchObject({ clientId: 'platform-1', variant: 'wholesale' });
      expect(JSON.stringify(copy)).not.toMatch(/secret/i);
    }
  });
});
