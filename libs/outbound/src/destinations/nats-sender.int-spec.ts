import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AddressGuard } from '#delivery-kit/address-guard';
import { natsAvailable, startNats } from '../../../../test/support/brokers/nats.js';
import type { TestBroker } from '../../../../test/support/brokers/broker.js';
import { quietPort } from '../../../../test/support/quiet-port.js';
import { trustAuthority } from '../../../../test/support/tls/authority.js';
import { checkedDestination } from './checked-destination.js';
import { NatsSender } from './nats-sender.js';

const REASON = natsAvailable ? '' : ' (skipped: there is no nats-server on the PATH)';
const guard = new AddressGuard(true, async () => [{ address: '127.0.0.1', family: 4 }]);

describe.skipIf(!natsAvailable)(`a NATS destination${REASON}`, () => {
  let broker: TestBroker;
  let sender: NatsSender;
  beforeAll(async () => {
    broker = await startNats();
    sender = new NatsSender(guard, 2_000);
  });
  afterAll(async () => {
    await sender.close();
    await broker.stop();
  });
  afterEach(() => void vi.restoreAllMocks());

  async function send(url: string, id: string, by = sender) {
    const to = await checkedDestination(url, guard);
    if (to.issue !== undefined) throw new Error(to.issue);
    const headers = { 'webhook-id': id, 'webhook-signature': 'v1,signed' };
    const { url: shown, credentials } = to;
    const message = {
      id,
      position: 1,
      type: 'order.status',
      subject: 'ord_1',
      headers,
      body: '{"type":"order.status"}',
    };
    return await by.send({ webhookId: 'whk_1', url: shown, credentials, ...message });
  }

  it('stores a message once for each id, under a subject with its type and order', async () => {
    const [first, again, other] = [
      await send(broker.url, 'a'),
      await send(broker.url, 'a'),
      await send(broker.url, 'b'),
    ];
    expect(first).toEqual({ httpStatus: null, error: null, answer: '{"stream":"WILLCALL","seq":1,"duplicate":false}' });
    expect(again.answer).toContain('"duplicate":true');
    expect(other.error).toBeNull();
    const subject = 'willcall.order.status.ord_1';
    const body = '{"type":"order.status"}';
    expect(await broker.messages()).toEqual([
      { id: 'a', subject, body },
      { id: 'b', subject, body },
    ]);
  });

  it('fails with a reason without a stream, a server, a valid login, or a checked address', async () => {
    expect((await send(broker.url.replace(/willcall$/, 'other'), 'c')).error).toBe(
      'no stream takes the subject other.order.status.ord_1',
    );
    const port = await quietPort();
    expect((await send(`nats://127.0.0.1:${port}/willcall`, 'c')).error).toBe('the connection failed: ECONNREFUSED');
    expect((await send(broker.url.replace('p%40ss', 'wrong'), 'c')).error).toBe(
      'the connection failed: AuthorizationError',
    );
    const strict = new NatsSender(new AddressGuard(false), 2_000);
    expect((await send(broker.url, 'c', strict)).error).toBe('the address must begin with tls://');
    expect((await send(broker.url.replace('nats:', 'tls:'), 'c', strict)).error).toBe(
      'the address must lead to a public address',
    );
    expect((await send(broker.url.replace('nats:', 'tls:'), 'c')).error).toMatch(/^the connection failed: /);
  });

  it('is reached again after its server was killed and started', async () => {
    await send(broker.url, 'd');
    await broker.kill();
    expect((await send(broker.url, 'e')).error).toMatch(/^the connection failed: /);
    await broker.restart();
    expect((await send(broker.url, 'e')).error).toBeNull();
    expect((await send(broker.url, 'd')).answer).toContain('"duplicate":true');
  });

  it('is reached by TLS if its certificate is from a known authority and has its name', async () => {
    const encrypted = await startNats({ encrypted: true });
    try {
      const error = async (url: string) => {
        const fresh = new NatsSender(guard, 2_000);
        return (await send(url, 'a', fresh).finally(() => fresh.close())).error;
      };
      expect(await error(encrypted.url)).toMatch(/^the connection failed: /);
      trustAuthority();
      expect(await error(encrypted.url.replace('receiver', 'another'))).toMatch(/^the connection failed: /);
      expect(await error(encrypted.url)).toBeNull();
    } finally {
      await encrypted.stop();
    }
  });
});
