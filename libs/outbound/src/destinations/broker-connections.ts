import { MissingPackage } from '#base/optional-package';
import { withTimeout } from '#base/with-timeout';
import { connectionError } from '#delivery-kit/http-response';
import type { DestinationMessage } from './destination-message.js';

/** `closed` is called when the broker, or the network, ends the connection. */
type Protocol<C> = Readonly<{
  connect(to: Receiver, closed: () => void): Promise<C>;
  end(connection: C): Promise<void>;
}>;

type Receiver = Pick<DestinationMessage, 'webhookId' | 'url' | 'credentials'>;

type Open<C> = { connection: Promise<C>; inUse: number; idle: NodeJS.Timeout };

// Connections of webhooks that were removed, or have nothing to send, disappear this way.
const IDLE_MS = 60_000;

// A process that stops does not wait longer for a broker that hangs.
const END_WITHIN_MS = 2_000;

/**
 * One connection to each broker and webhook. It never reconnects by itself: a client that sends what it kept from an earlier
 * connection could overtake a newer status.
 */
export class BrokerConnections<C> {
  private readonly opened = new Map<string, Open<C>>();

  /** @param timeoutMs of a whole use: connecting and work */
  constructor(
    private readonly protocol: Protocol<C>,
    private readonly timeoutMs: number,
  ) {}

  /** After an error the connection is given up, and other uses of it fail too. */
  async use<T>(receiver: Receiver, work: (connection: C) => Promise<T>): Promise<T> {
    const key = [receiver.webhookId, receiver.url, receiver.credentials].join(' ');
    const open = this.opened.get(key) ?? this.open(key, receiver);
    open.inUse += 1;
    try {
      return await withTimeout(open.connection.then(work), this.timeoutMs, 'the destination');
    } catch (error) {
      void this.giveUp(key, open);
      throw error;
    } finally {
      open.inUse -= 1;
      open.idle.refresh();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened].map(([key, open]) => this.giveUp(key, open)));
  }

  private open(key: string, receiver: Receiver): Open<C> {
    const close = () => void this.giveUp(key, open);
    const idle = setTimeout(() => (open.inUse > 0 ? idle.refresh() : close()), IDLE_MS).unref();
    const open: Open<C> = { connection: this.protocol.connect(receiver, close), inUse: 0, idle };
    this.opened.set(key, open);
    return open;
  }

  private async giveUp(key: string, open: Open<C>): Promise<void> {
    clearTimeout(open.idle);
    if (this.opened.get(key) === open) this.opened.delete(key);
    // A connection that never opened, or is closed already, needs no end.
    const end = open.connection.then((connection) => this.protocol.end(connection));
    await withTimeout(end, END_WITHIN_MS, 'the destination').catch(() => undefined);
  }
}

/** Contains nothing that the broker sent. */
export function brokerError(error: unknown, timeoutMs: number): string {
  if (error instanceof MissingPackage) return error.message;
  return connectionError((error as Error).cause ?? error, timeoutMs);
}
