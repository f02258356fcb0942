import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AddressGuard } from '#delivery-kit/address-guard';
import { rabbitMqAvailable, startRabbitMq } from '../../../../test/support/brokers/rabbitmq.js';
import { quietPort } from '../../../../test/support/quiet-port.js';
import { trustAuthority } from '../../../../test/support/tls/authority.js';
import { until } from '../../../../test/support/until.js';
import { checkedDestination } from './checked-destination.js';
import { RabbitMqSender } from './rabbitmq-sender.js';

const REASON = rabbitMqAvailable ? '' : ' (skipped: rabbitmq-server of Debian is not installed)';
const guard = new AddressGuard(true, async () => [{ address: '127.0.0.1', family: 4 }]);

describe.skipIf(!rabbitMqAvailable)(`a RabbitMQ destination${REASON}`, () => {
  let broker: Awaited<ReturnType<typeof startRabbitMq>>;
  let sender: RabbitMqSender;
  beforeAll(async () => {
    broker = await startRabbitMq();
    sender = new RabbitMqSender(guard, 5_000);
  }, 180_000);
  afterAll(async () => {
    await sender.close();
    await broker.stop();
  });
  afterEach(() => void vi.restoreAllMocks());

  async function send(url: string, id: string, by = sender) {
    const to = await checkedDestination(url, guard);
    if (to.issue !== undefined) throw new Error(to.issue);
    const { url: shown, credentials } = to;
    const headers = { 'webhook-id': id, 'webhook-signature': 'v1,signed' };
    const message = { id, position: 1, type: 'order.status', subject: 'ord_1', headers, body: '{"data":{}}' };
    return await by.send({ webhookId: 'whk_1', url: shown, credentials, ...message });
  }

  it('has a message in a queue once the broker has confirmed it', async () => {
    expect(await send(broker.url, 'a')).toEqual({
      httpStatus: null,
      error: null,
      answer: 'confirmed by the exchange willcall',
    });
    expect(await broker.messages()).toEqual([{ id: 'a', subject: 'order.status.ord_1', body: '{"data":{}}' }]);
  });

  it('fails with a reason without a queue, an exchange, a virtual host, a login, a server or a checked address', async () => {
    const error = async (url: string, by = sender) => (await send(url, 'b', by)).error;
    const [unbound, missing] = [broker.url.replace(/willcall$/, 'amq.topic'), broker.url.replace(/willcall$/, 'none')];
    expect(await error(unbound)).toBe('no queue of the exchange takes the routing key order.status.ord_1');
    expect(await error(missing)).toBe('the broker refused: NOT_FOUND');
    expect(await error(broker.url.replace('%2F', 'none'))).toBe('the connection failed: Error');
    expect(await error(broker.url.replace('p%40ss', 'wrong'))).toBe('the broker refused: ACCESS_REFUSED');
    const port = await quietPort();
    expect(await error(`amqp://127.0.0.1:${port}/%2F/willcall`)).toBe('the connection failed: ECONNREFUSED');
    const strict = new RabbitMqSender(new AddressGuard(false), 2_000);
    expect(await error(broker.url, strict)).toBe('the address must begin with amqps://');
    expect(await error(broker.url.replace('amqp:', 'amqps:'), strict)).toBe(
      'the address must lead to a public address',
    );
  });

  it('is reached by TLS if its certificate is from a known authority and has its name', async () => {
    const error = async (url: string) => {
      const fresh = new RabbitMqSender(guard, 5_000);
      return (await send(url, 'b', fresh).finally(() => fresh.close())).error;
    };
    expect(await error(broker.encryptedUrl)).toMatch(/^the connection failed: /);
    trustAuthority();
    expect(await error(broker.encryptedUrl.replace('receiver', 'another'))).toMatch(/^the connection failed: /);
    expect(await error(broker.encryptedUrl)).toBeNull();
  });

  it('keeps what it has confirmed when it is killed, and is reached again', async () => {
    expect((await send(broker.url, 'c')).error).toBeNull();
    await broker.kill();
    expect((await send(broker.url, 'd')).error).toMatch(/^the connection failed: /);
    await broker.restart();
    // The server takes connections a moment before its queues are back.
    await until(async () => (await send(broker.url, 'd')).error === null);
    expect((await broker.messages()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  }, 180_000);
});
