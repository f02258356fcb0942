import { Server } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { ConnectionLimits } from './connection-limits.js';

// A client may be sending its next request on a connection that looks idle to us, and would be reset. Whoever sends again and again is
// told to close the connection by the next answer. Whoever has sent nothing for so long hardly begins just now. It is not longer,
// because a person who presses Ctrl-C waits for it.
const MOST_UNUSED_MS = 3_000;
const UNUSED_SHARE_OF_GRACE = 0.3;
// Time for the first request of a new connection.
const FIRST_LOOK_AFTER_MS = 1_000;
const CHECK_EVERY_MS = 25;
// Fast-connecting clients must not keep us listening for ever.
const ACCEPT_FOR_MS = 500;

/** A Fastify adapter that drains its connections at the start of a shutdown, before anything else stops. */
export class DrainingAdapter extends FastifyAdapter {
  private drain: ConnectionDrain | undefined;

  constructor(
    options: FastifyServerOptions,
    readonly connections: ConnectionLimits,
  ) {
    super(options);
  }

  /** Call this once, before the server listens. */
  drainWithin(graceMs: number): void {
    this.drain = new ConnectionDrain(this.getInstance<FastifyInstance>(), this.connections, graceMs);
  }

  /** Nest awaits this before it stops anything. */
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.drain?.begin();
  }
}

/**
 * Ends connections without losing a request. The server first stops accepting. Then every answer says `connection: close`,
 * connections that nobody has used for a time are closed, and the rest is cut after the grace period. If clients were told to close
 * while the server still accepts, they would all reconnect just before it stops, and be reset.
 */
class ConnectionDrain {
  private closing: Promise<void> | undefined;
  private isListenerClosed = false;
  private resolveDrained = (): void => undefined;
  private readonly drained = new Promise<void>((resolve) => (this.resolveDrained = resolve));

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly connections: ConnectionLimits,
    private readonly graceMs: number,
  ) {
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isListenerClosed) reply.header('connection', 'close');
      done();
    });
    // After this hook Fastify closes the server and with it every idle connection.
    fastify.addHook('preClose', async () => {
      await this.begin();
      await this.drained;
    });
  }

  /** Resolves when the server no longer accepts connections. */
  begin(): Promise<void> {
    return (this.closing ??= this.drainServer().then(() => void (this.isListenerClosed = true)));
  }

  private async drainServer(): Promise<void> {
    const { server } = this.fastify;
    if (!server.listening) return this.resolveDrained();
    const unusedForMs = Math.min(MOST_UNUSED_MS, UNUSED_SHARE_OF_GRACE * this.graceMs);
    let checks: NodeJS.Timeout | undefined;
    const idle = setTimeout(
      () => {
        // Runs right after Node has read the data that has arrived.
        checks = setInterval(() => setImmediate(() => this.closeUnused(unusedForMs)), CHECK_EVERY_MS);
      },
      Math.min(FIRST_LOOK_AFTER_MS, unusedForMs),
    );
    const overdue = setTimeout(() => server.closeAllConnections(), this.graceMs);
    server.once('close', () => {
      for (const timer of [idle, overdue, checks]) clearTimeout(timer);
      this.resolveDrained();
    });
    await new Promise<void>((resolve) => this.stopAccepting(resolve));
  }

  private closeUnused(forMs: number): void {
    for (const socket of this.connections.idleSince(performance.now() - forMs)) socket.destroy();
  }

  /**
   * When the server stops listening, connections that the kernel has accepted but Node has not are reset. Node accepts one in each
   * turn of its event loop, so a turn without a new one means that none is left.
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
      // The close() of an HTTP server would cut idle connections at once.
      Server.prototype.close.call(server);
      stopped();
    };
    setImmediate(look);
  }
}
