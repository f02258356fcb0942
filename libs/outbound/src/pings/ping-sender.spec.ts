import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PlatformClient } from '#accounts/platform-client';
import { authorizationHeader, type Signable } from '#base/signature';
import { RequestVerifier } from '#accounts/verify-request';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { type Answer, PlatformDouble } from '../../../../test/support/pings/platform-double.js';
import { type Ping, type PingOutcome, PingSender } from './ping-sender.js';
import { ClientSecretSigner, PingSigner } from './ping-signer.js';

const ORDER = 'ord_019aa6b5c0de7000a000000000000001';
const PING: Ping = { orderId: ORDER, clientId: 'cli_1', refId: null, transactionId: 'txn-1' };
const client = new PlatformClient('cli_1', 'payment', [Buffer.from('the newest secret'), Buffer.from('an older one')]);
const clients = { find: async (id: string) => (id === 'cli_1' ? client : undefined) };

let platform: PlatformDouble;
let senders: PingSender[];
beforeAll(async () => {
  platform = await PlatformDouble.start();
});
afterAll(() => platform.stop());
beforeEach(() => {
  platform.received.length = 0;
  senders = [];
});
afterEach(() => Promise.all(senders.map((sender) => sender.close())));

function sender({ base = '', timeoutMs = 5_000, scheme = 'XX' } = {}): PingSender {
  const settings = { url: platform.url + base, scheme, timeoutMs, connections: 2 };
  const created = new PingSender(
    settings,
    new ClientSecretSigner(clients, { CHECKOUT_SCHEME: scheme }),
    new FixedClock(),
  );
  senders.push(created);
  return created;
}

function answered(answer: Answer): Promise<PingOutcome> {
  platform.answering = () => answer;
  return sender().send(PING);
}

const took = (orderId: string) => JSON.stringify({ order_id: orderId });

describe('a ping over the wire', () => {
  beforeEach(() => {
    platform.answering = () => ({ body: took(ORDER) });
  });

  it('is a POST without query and body for an order without ref_id', async () => {
    expect(await sender().send(PING)).toMatchObject({ error: null, httpStatus: 200 });
    const [ping] = platform.received;
    expect(ping).toMatchObject({ url: `/markets/purchases/${ORDER}/update`, bodyBytes: 0, transactionId: 'txn-1' });
  });

  it('carries the transaction id byte for byte', async () => {
    const transactionId = `two  words\t caf\u00e9 \u009b ${'t'.repeat(10_000)}`;
    expect(await sender().send({ ...PING, transactionId })).toMatchObject({ error: null });
    expect(platform.received[0]?.transactionId).toBe(transactionId);
  });

  it('is also sent after requests that undici rejected as invalid', async () => {
    const one = sender();
    for (let time = 1; time <= 3; time += 1) {
      expect(await one.send({ ...PING, transactionId: 'not\u0000sendable' })).toMatchObject({
        error: expect.any(String) as string,
      });
    }
    expect(await one.send(PING)).toMatchObject({ error: null, httpStatus: 200 });
  });

  it('carries the ref_id byte for byte, percent-encoded', async () => {
    const refId = 'a b/c?d=é&f#g+%41';
    await sender().send({ ...PING, refId });
    const query = platform.received[0]?.url.split('?ref_id=')[1] ?? '';
    expect(query).toMatch(/^[\w.!~*'()%-]+$/);
    expect(decodeURIComponent(query)).toBe(refId);
  });

  it('is signed with the newest secret of its client, over the whole path of the address', async () => {
    const verifier = new RequestVerifier(
      { findCached: clients.find, refresh: async () => false },
      { CHECKOUT_SCHEME: 'XX' },
    );
    await sender({ base: '/gateway/v2/' }).send({ ...PING, refId: '1' });
    const [ping] = platform.received;
    expect(ping?.url).toBe(`/gateway/v2/markets/purchases/${ORDER}/update?ref_id=1`);
    const request = { method: 'POST', rawUrl: ping?.url ?? '', rawHeaders: [...(ping?.rawHeaders ?? [])] };
    expect((await verifier.verify({ ...request, body: new Uint8Array(0) }))?.clientId).toBe('cli_1');
    const other = { ...request, rawUrl: request.rawUrl.replace('/gateway/v2', '') };
    expect(await verifier.verify({ ...other, body: new Uint8Array(0) })).toBeUndefined();
  });

  describe('while the secret of its client is rotated', () => {
    const path = `/markets/purchases/${ORDER}/update`;
    const signedWith = (index: number) =>
      authorizationHeader('XX', 'cli_1', {
        method: 'POST',
        path,
        body: new Uint8Array(0),
        secret: client.secrets[index] ?? '',
      });
    /** The platform knows only this secret. */
    const knows =
      (index: number, status: number): PlatformDouble['answering'] =>
      ({ rawHeaders }) =>
        rawHeaders.includes(signedWith(index)) ? { body: took(ORDER) } : { status };

    it.each([401, 403])('reaches a platform that knows the older one only, and answers %i', async (status) => {
      platform.answering = knows(1, status);
      const one = sender();
      expect(await one.send(PING)).toMatchObject({ error: null, httpStatus: 200 });
      expect(platform.received).toHaveLength(2);
      // From then on this secret is tried first, until the platform accepts the newer one.
      expect(await one.send(PING)).toMatchObject({ error: null, httpStatus: 200 });
      expect(platform.received).toHaveLength(3);
      platform.answering = knows(0, status);
      expect(await one.send(PING)).toMatchObject({ error: null, httpStatus: 200 });
      expect(await one.send(PING)).toMatchObject({ error: null, httpStatus: 200 });
      expect(platform.received).toHaveLength(6);
    });

    it('is tried once with each secret if the platform knows neither', async () => {
      platform.answering = () => ({ status: 401 });
      const error = 'the platform answered 401';
      expect(await sender().send(PING)).toMatchObject({ httpStatus: 401, error });
      const sent = platform.received.map(({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('Authorization') + 1]);
      expect(sent).toEqual([signedWith(0), signedWith(1)]);
    });

    it('is tried once with a secret if the platform rejects something else than the signature', async () => {
      platform.answering = () => ({ status: 400 });
      expect(await sender().send(PING)).toMatchObject({ httpStatus: 400, error: expect.any(String) as string });
      expect(platform.received).toHaveLength(1);
    });

    it('fails with the time-out if the second try gets no response', async () => {
      platform.answering = (_ping, nth) => (nth === 1 ? { status: 401 } : new Promise<never>(() => undefined));
      expect(await sender({ timeoutMs: 300 }).send(PING)).toMatchObject({ error: 'no answer within 300 ms' });
    });
  });

  it('signs what is sent: the path without the query, and no body', async () => {
    const signed: Signable[] = [];
    class Recorder extends PingSigner {
      async authorization(_clientId: string, request: Signable) {
        signed.push(request);
        return 'XX cli_1:signature';
      }
    }
    const settings = { url: `${platform.url}/base`, scheme: 'XX', timeoutMs: 5_000, connections: 1 };
    const recorded = new PingSender(settings, new Recorder(), new FixedClock());
    senders.push(recorded);
    await recorded.send({ ...PING, refId: '1' });
    const path = `/base/markets/purchases/${ORDER}/update`;
    expect(signed).toEqual([{ method: 'POST', path, body: new Uint8Array(0) }]);
  });

  it('uses the scheme of the settings', async () => {
    await sender({ scheme: 'SG' }).send(PING);
    const headers = platform.received[0]?.rawHeaders ?? [];
    expect(headers[headers.indexOf('Authorization') + 1]).toMatch(/^SG cli_1:/);
    expect(headers[headers.indexOf('X-SG-Transaction-Id') + 1]).toBe('txn-1');
  });

  it('is not sent for a client without a live secret', async () => {
    expect(await sender().send({ ...PING, clientId: 'cli_2' })).toEqual({
      answer: null,
      httpStatus: null,
      error: 'the client has no live secret to sign with',
      unsent: true,
    });
    expect(platform.received).toEqual([]);
  });
});

describe('a response', () => {
  it.each([200, 201, 202, 299])('of %i with the order_id is a delivery', async (status) => {
    expect(await answered({ status, body: took(ORDER) })).toMatchObject({ error: null, httpStatus: status });
  });

  it.each([
    [200, '', 'the answer has no order_id'],
    [200, 'OK', 'the answer has no order_id'],
    [200, 'null', 'the answer has no order_id'],
    [200, '{}', 'the answer has no order_id'],
    [200, `["${ORDER}"]`, 'the answer has no order_id'],
    [200, took('ord_another'), 'the answer names another order'],
    [200, JSON.stringify({ order_id: [ORDER] }), 'the answer names another order'],
    [204, '', 'the answer has no order_id'],
    [301, took(ORDER), 'the platform answered 301'],
    [400, took(ORDER), 'the platform answered 400'],
    [500, took(ORDER), 'the platform answered 500'],
  ])('of %i with %j is not an acknowledgement', async (status, body, error) => {
    expect(await answered({ status, body })).toMatchObject({ httpStatus: status, error });
  });

  it('with a redirect is not followed', async () => {
    const elsewhere = `${platform.url}/markets/purchases/ord_other/update`;
    expect(await answered({ status: 307, headers: { location: elsewhere } })).toMatchObject({
      error: expect.any(String) as string,
    });
    expect(platform.received).toHaveLength(1);
  });

  it('is kept, its first kilobyte, without what PostgreSQL cannot store', async () => {
    expect(await answered({ body: took(ORDER) })).toMatchObject({ error: null, answer: took(ORDER) });
    expect(await answered({ body: '' })).toMatchObject({ error: expect.any(String) as string, answer: null });
    const long = `${'é'.repeat(600)}\0`;
    expect(await answered({ status: 500, body: `a\0b${long}` })).toMatchObject({
      answer: `ab${'é'.repeat(510)}\ufffd`,
    });
    expect(await answered({ body: 'x'.repeat(70_000) })).toMatchObject({ answer: 'x'.repeat(1_024) });
  });

  it('is read up to 64 KiB', async () => {
    const fits = took(ORDER).padEnd(64 * 1024);
    expect(await answered({ body: fits })).toMatchObject({ error: null });
    const error = 'the answer is longer than 64 KiB';
    expect(await answered({ body: `${fits} ` })).toMatchObject({ httpStatus: 200, error });
    expect(await answered({ body: took(ORDER) })).toMatchObject({ error: null });
  });

  it.each([
    [429, '7', 7_000],
    [503, 'Sat, 21 Nov 2026 12:00:09 GMT', 9_000],
    [503, 'soon', undefined],
    [500, '7', undefined],
  ])('of %i with Retry-After %j makes us wait %s ms', async (status, header, wait) => {
    const outcome = await answered({ status, headers: { 'retry-after': header } });
    expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(wait);
  });
});

describe('an attempt that fails', () => {
  const never = () => new Promise<never>(() => undefined);

  it('without a response ends with the time-out', async () => {
    platform.answering = never;
    const error = 'no answer within 100 ms';
    expect(await sender({ timeoutMs: 100 }).send(PING)).toEqual({ httpStatus: null, error, answer: null });
  });

  it.each([200, 500])('in the middle of an answer of %i ends with the time-out too', async (status) => {
    platform.answering = (_ping, _nth, response) => {
      response.writeHead(status).write('{"order_id":');
      return never();
    };
    const outcome = await sender({ timeoutMs: 100 }).send(PING);
    expect(outcome).toMatchObject({ error: expect.any(String) as string });
  });

  it('because nobody listens reports that', async () => {
    const stopped = await PlatformDouble.start();
    const settings = { url: stopped.url, scheme: 'XX', timeoutMs: 5_000, connections: 1 };
    await stopped.stop();
    const lost = new PingSender(settings, new ClientSecretSigner(clients, { CHECKOUT_SCHEME: 'XX' }), new FixedClock());
    senders.push(lost);
    const error = 'the connection failed: ECONNREFUSED';
    expect(await lost.send(PING)).toEqual({ httpStatus: null, error, answer: null });
  });

  it('because the connection is cut reports that, and the next one connects anew', async () => {
    platform.answering = (_ping, nth, response) => {
      if (nth === 1) response.destroy();
      return { body: took(ORDER) };
    };
    const one = sender();
    const failed = await one.send(PING);
    expect(failed).toMatchObject({ httpStatus: null, error: expect.any(String) as string });
    expect(failed).toHaveProperty('error', expect.stringMatching(/^the connection failed: UND_ERR_SOCKET|ECONNRESET/));
    expect(await one.send(PING)).toMatchObject({ error: null });
  });

  it('because a client id or transaction id cannot be sent never throws', async () => {
    expect(await sender().send({ ...PING, transactionId: 'a\nb' })).toMatchObject({
      error: expect.any(String) as string,
    });
    expect(platform.received).toEqual([]);
  });
});
