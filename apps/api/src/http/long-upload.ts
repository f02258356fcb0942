import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

const uploading = new WeakSet<Socket>();

// A sender that has nothing to say for so long has gone.
const IDLE_MS = 60_000;

/**
 * Lets a request take as long as it keeps arriving, while `work` reads it: the time-out for whole requests (server.ts) is
 * for strangers, and a file of listings is not through in 15 s. Only for who has shown a credential.
 */
export async function withLongUpload<T>({ raw }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { socket } = raw;
  uploading.add(socket);
  socket.setTimeout(IDLE_MS);
  try {
    return await work();
  } finally {
    uploading.delete(socket);
    socket.setTimeout(0);
    // What was not read would keep the connection from ever serving another request.
    raw.resume();
  }
}

export function isLongUpload(socket: Socket): boolean {
  return uploading.has(socket);
}
