import { Server } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

// A client may be sending its next request on a connection that is idle to us. By then a busy client has sent it, and was told
// to close the connection.
const IDLE_GRACE_MS = 1_000;
const LOOK_EVERY_MS = 25;
// Clients that connect faster than we accept must not keep us listening.
const ACCEPT_FOR_MS = 500;

/** Fastify that drains its connections from the very start of a shutdown, before anything else is stopped. */
export class DrainingAdapter extends FastifyAdapter {
  private drain: ConnectionDrain | undefined;

  /** Call it once, before the server listens. */
  drainWithin(graceMs: number): void {
    this.drain = new ConnectionDrain(this.getInstance<FastifyInstance>(), graceMs);
  }

  /** Nest waits for it before it stops anything. */
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.drain?.begin();
  }
}

/**
 * Ends connections so that no request is lost: the server accepts no more, then every answer says `connection: close`, connections
 * that stay idle are closed after a second, and what is left after the grace is cut. Clients that were told to close while the
 * server still accepts would all connect again just when it stops, and be reset.
 */
class ConnectionDrain {
  private closing: Promise<void> | undefined;
  private isListenerClosed = false;
  private resolveDrained = (): void => undefined;
  private readonly drained = new Promise<void>((resolve) => (this.resolveDrained = resolve));

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly graceMs: number,
  ) {
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isListenerClosed) reply.header('connection', 'close');
      done();
    });
    // Fastify closes the server after this hook, and with it every idle connection.
    fastify.addHook('preClose', async () => {
      await this.begin();
      await this.drained;
    });
  }

  /** Resolves when the server accepts no more connections. */
  begin(): Promise<void> {
    return (this.closing ??= this.drainServer().then(() => void (this.isListenerClosed = true)));
  }

  private async drainServer(): Promise<void> {
    const { server } = this.fastify;
    if (!server.listening) return this.resolveDrained();
    const idleFor = Math.min(IDLE_GRACE_MS, this.graceMs);
    let looks: NodeJS.Timeout | undefined;
    const idle = setTimeout(() => {
      // Right after Node has read what has arrived.
      looks = setInterval(() => setImmediate(() => server.closeIdleConnections()), LOOK_EVERY_MS);
    }, idleFor);
    const overdue = setTimeout(() => server.closeAllConnections(), this.graceMs);
    server.once('close', () => {
      for (const timer of [idle, overdue, looks]) clearTimeout(timer);
      this.resolveDrained();
    });
    await new Promise<void>((resolve) => this.stopAccepting(resolve));
  }

  /**
   * Connections that the kernel has accepted and Node has not are reset when the server stops to listen. Node takes one in each
   * turn of its event loop, so a turn without a new one means that there is none left.
   */
  private stopAccepting(stopped: () => void): void {
    const { server } = this.fastify;
    const deadline = performance.now() + ACCEPT_FOR_MS;
    let accepted = true;
    const count = () => void (accepted = true);
    server.on('connection', count);
    const look = () => {
      if (accepted && performance.now() < deadline) {
        accepted = false;
        setImmediate(look);
        return;
      }
      server.off('connection', count);
      // An HTTP server's own close() would cut the idle connections at once.
      Server.prototype.close.call(server);
      stopped();
    };
    setImmediate(look);
  }
}
