import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

// A client that is still sending reads the answer first. Closing at once would reset its connection, and the answer would be lost.
const LINGER_MS = 2_000;

const REFUSALS = [401, 403];

/**
 * Ends the connection after a refusal whose request has not arrived as a whole: a stranger's upload is not read to its end, and the rest of
 * it gets no second answer.
 */
export function endRefusedUploads(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (REFUSALS.includes(reply.statusCode) && isArriving(request.raw)) {
      void reply.header('connection', 'close');
      linger(request.raw.socket);
    }
    done(null, payload);
  });
}

/** A refusal may come while Node is still in the headers, so a request without a body need not be complete either. */
function isArriving({ complete, headers }: IncomingMessage): boolean {
  return !complete && (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined);
}

/** Node calls `destroySoon` after the last answer of a connection. */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
