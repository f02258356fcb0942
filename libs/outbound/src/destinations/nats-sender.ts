import type { JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection, TlsOptions } from '@nats-io/transport-node';
import { loadOptional } from '#base/optional-package';
import type { AddressGuard } from '#delivery-kit/address-guard';
import type { Outcome } from '#delivery-kit/attempt';
import { startOf } from '#delivery-kit/http-response';
import { BrokerConnections, brokerError } from './broker-connections.js';
import { brokerAddress, brokerIssue, loginOf } from './destination-address.js';
import { delivered, type DestinationMessage, type DestinationSender, failed } from './destination-message.js';

const PACKAGE = {
  neededBy: 'A NATS destination',
  name: '@nats-io/jetstream',
  install: '@nats-io/jetstream@3 @nats-io/transport-node@3',
};

/** @throws MissingPackage */
export async function loadNats() {
  return await loadOptional(PACKAGE, async () => {
    const [transport, jetstream] = await Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]);
    return { ...transport, jetstream: jetstream.jetstream };
  });
}

type Open = Readonly<{ connection: NatsConnection; stream: JetStreamClient }>;

/**
 * Publishes to JetStream and waits until a stream has stored the message. `Nats-Msg-Id` is the id of the entry, so the stream drops a
 * repeated delivery.
 */
export class NatsSender implements DestinationSender {
  private readonly connections: BrokerConnections<Open>;

  constructor(
    private readonly guard: AddressGuard,
    private readonly timeoutMs: number,
  ) {
    this.connections = new BrokerConnections(
      {
        connect: (to, closed) => this.connect(to, closed),
        end: ({ connection }) => connection.close(),
      },
      timeoutMs,
    );
  }

  async send(message: DestinationMessage): Promise<Outcome> {
    const address = brokerAddress(message.url, 'nats');
    const issue = typeof address === 'string' ? address : brokerIssue(address, 'nats', this.guard);
    if (typeof address === 'string' || issue !== undefined) return failed(`the address ${issue}`);
    const subject = `${address.path}.${message.type}.${message.subject}`;
    try {
      return await this.connections.use(message, (open) => this.publish(open, subject, message));
    } catch (error) {
      return failed(brokerError(error, this.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await this.connections.close();
  }

  private async connect({ url, credentials }: Pick<DestinationMessage, 'url' | 'credentials'>, closed: () => void) {
    const address = brokerAddress(url, 'nats');
    if (typeof address === 'string') throw new Error(address);
    const { connect, jetstream } = await loadNats();
    const { user, password } = loginOf(credentials);
    const ip = await this.guard.addressOf(address.host);
    const connection = await connect({
      servers: `${ip.includes(':') ? `[${ip}]` : ip}:${address.port}`,
      ...(user !== '' && (password === '' ? { token: user } : { user, pass: password })),
      // The client knows only the address that was checked, but the certificate has the name.
      ...(address.encrypted && { tls: { servername: address.host } as TlsOptions }),
      name: 'willcall',
      timeout: this.timeoutMs,
      reconnect: false,
      // The addresses of other servers were not checked.
      ignoreClusterUpdates: true,
    });
    void connection.closed().then(closed);
    return { connection, stream: jetstream(connection) };
  }

  private async publish({ stream }: Open, subject: string, { id, headers, body }: DestinationMessage) {
    const { headers: newHeaders } = await loadNats();
    const natsHeaders = newHeaders();
    for (const [name, value] of Object.entries(headers)) natsHeaders.set(name, value);
    try {
      const ack = await stream.publish(subject, body, { msgID: id, headers: natsHeaders, timeout: this.timeoutMs });
      return delivered(JSON.stringify({ stream: ack.stream, seq: ack.seq, duplicate: ack.duplicate }));
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'JetStreamNotEnabled') return failed(`no stream takes the subject ${subject}`);
      // The stream is full, or has a rule that the message breaks.
      if (name === 'JetStreamApiError') {
        return failed('the stream refused the message', startOf({ bytes: Buffer.from(message) }, 2_048));
      }
      throw error;
    }
  }
}
