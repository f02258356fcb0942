import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

const uploading = new WeakSet<Socket>();

// A sender that is silent for this long has gone.
const IDLE_MS = 60_000;

/**
 * Lifts the time-out for whole requests (server.ts) while data keeps arriving and `work` reads it, because a file of listings takes
 * longer than 15 s. Only for authenticated requests.
 */
export async function withLongUpload<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { socket } = request.raw;
  uploading.add(socket);
  socket.setTimeout(IDLE_MS);
  try {
    return await work();
  } finally {
    uploading.delete(socket);
    socket.setTimeout(0);
    // Unread data would keep the connection from serving another request.
    uploadOf(request).resume();
  }
}

/** The body of a route that reads it as a stream. */
export function uploadOf({ body, raw }: FastifyRequest): Readable {
  return body instanceof Readable ? body : raw;
}

export function isLongUpload(socket: Socket): boolean {
  return uploading.has(socket);
}
