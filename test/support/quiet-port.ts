import { createServer } from 'node:net';

/**
 * A free port of 127.0.0.1 from below the range out of which systems give ports to outgoing connections: while the server
 * on it is down, none of the clients that keep trying can be given it as its own.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise<boolean>((done) => {
      const probe = createServer();
      probe.once('error', () => done(false));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
