import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ClientError, isTimeout, refuseMalformed } from './malformed-request.js';
import type { PipelinedRequests } from './pipelined-requests.js';

/**
 * Answers what cannot be read, and requests that are slow to arrive. Node reports those once, but it looks at its time-outs before it
 * reads what has arrived: after a busy moment every unread request looks slow.
 */
export class UnreadableRequests {
  constructor(
    private readonly server: Server,
    private readonly requests: PipelinedRequests,
  ) {}

  refuse(error: ClientError, socket: Socket): void {
    if (isTimeout(error)) this.#judge(socket, () => refuseMalformed(error, socket));
    else refuseMalformed(error, socket);
  }

  /** Refuses the request of the connection if it is still not here once all that has arrived was read. */
  #judge(socket: Socket, refuse: () => void): void {
    // While requests wait, their socket is not read, so the one that arrives behind them looks slow.
    if (this.requests.isHeldBack(socket)) return;
    const before = this.requests.arrivedOn(socket);
    // Runs right after Node has read.
    setImmediate(() => {
      const { count, open } = this.requests.arrivedOn(socket);
      if (before.open) refuseUnlessComplete(before.open, refuse);
      else if (count > before.count) {
        if (open) this.#later(() => refuseUnlessComplete(open, refuse));
      } else if (socket.bytesRead > 0) refuse();
      // A browser opens connections ahead. Its request may be on the way, and only to a connection that closes in silence it sends it again.
      else this.#later(() => socket.bytesRead === 0 && socket.destroy());
    });
  }

  #later(act: () => void): void {
    setTimeout(() => setImmediate(act), this.server.requestTimeout).unref();
  }
}

function refuseUnlessComplete({ complete }: IncomingMessage, refuse: () => void): void {
  if (!complete) refuse();
}
