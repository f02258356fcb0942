import type { ConfirmChannel, ChannelModel } from 'amqplib';
import { loadOptional } from '#base/optional-package';
import type { AddressGuard } from '#delivery-kit/address-guard';
import type { Outcome } from '#delivery-kit/attempt';
import { BrokerConnections, brokerError } from './broker-connections.js';
import { brokerAddress, brokerIssue, loginOf } from './destination-address.js';
import { delivered, type DestinationMessage, type DestinationSender, failed } from './destination-message.js';

const PACKAGE = { neededBy: 'A RabbitMQ destination', name: 'amqplib', install: 'amqplib@2' };

/** @throws MissingPackage */
export async function loadRabbitMq() {
  return await loadOptional(PACKAGE, async () => (await import('amqplib')).default);
}

type Open = Readonly<{
  connection: ChannelModel;
  channel: ConfirmChannel;
  /** The ids of messages that no queue takes. The broker returns them before it confirms them. */
  returned: Set<unknown>;
  /** Why the broker closed the channel. */
  closedBecause: { error?: Error };
}>;

/** Publishes to an exchange and waits until the broker has confirmed the message, which then is in a queue. */
export class RabbitMqSender implements DestinationSender {
  private readonly connections: BrokerConnections<Open>;

  constructor(
    private readonly guard: AddressGuard,
    private readonly timeoutMs: number,
  ) {
    this.connections = new BrokerConnections(
      { connect: (to, closed) => this.connect(to, closed), end: ({ connection }) => connection.close() },
      timeoutMs,
    );
  }

  async send(message: DestinationMessage): Promise<Outcome> {
    const address = brokerAddress(message.url, 'rabbitmq');
    const issue = typeof address === 'string' ? address : brokerIssue(address, 'rabbitmq', this.guard);
    if (typeof address === 'string' || issue !== undefined) return failed(`the address ${issue}`);
    const exchange = decodeURIComponent(address.path.split('/')[1] ?? '');
    try {
      return await this.connections.use(message, (open) => publish(open, exchange, message));
    } catch (error) {
      return failed(amqpError(error as Error) ?? brokerError(error, this.timeoutMs), (error as Error).message);
    }
  }

  async close(): Promise<void> {
    await this.connections.close();
  }

  private async connect(
    { url, credentials }: Pick<DestinationMessage, 'url' | 'credentials'>,
    closed: () => void,
  ): Promise<Open> {
    const address = brokerAddress(url, 'rabbitmq');
    if (typeof address === 'string') throw new Error(address);
    const { connect } = await loadRabbitMq();
    const { user, password } = loginOf(credentials);
    const to = {
      protocol: address.encrypted ? 'amqps' : 'amqp',
      hostname: address.host,
      port: address.port,
      username: user,
      password,
      vhost: address.path.split('/')[0] ?? '',
    };
    const options = { lookup: this.guard.lookup, timeout: this.timeoutMs, noDelay: true };
    const connection = await connect(to, { ...options, clientProperties: { connection_name: 'willcall' } });
    // Without listeners an error would end the process.
    connection.on('error', () => undefined).on('close', closed);
    const channel = await connection.createConfirmChannel();
    const returned = new Set<unknown>();
    const closedBecause: Open['closedBecause'] = {};
    channel
      .on('return', ({ properties }) => returned.add(properties.messageId))
      .on('error', (error) => (closedBecause.error = error))
      .on('close', closed);
    return { connection, channel, returned, closedBecause };
  }
}

async function publish({ channel, returned, closedBecause }: Open, exchange: string, message: DestinationMessage) {
  const { id, type, subject, headers, body } = message;
  const key = `${type}.${subject}`;
  const options = { messageId: id, type, contentType: 'application/json', persistent: true, mandatory: true, headers };
  await new Promise<void>((resolve, reject) => {
    const confirmed = (error: Error | null) => (error ? reject(closedBecause.error ?? error) : resolve());
    channel.publish(exchange, key, Buffer.from(body), options, confirmed);
  });
  if (returned.delete(id)) return failed(`no queue of the exchange takes the routing key ${key}`);
  return delivered(`confirmed by the exchange ${exchange}`);
}

/** The reasons for which a broker ends a connection or a channel. */
const REPLIES = /\b(?:ACCESS[-_]REFUSED|NOT[-_]FOUND|CONNECTION[-_]FORCED)\b/;

function amqpError({ message }: Error): string | undefined {
  const reply = REPLIES.exec(message)?.[0];
  return reply && `the broker refused: ${reply.replaceAll('-', '_')}`;
}
