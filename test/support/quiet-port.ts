import { createServer } from 'node:net';

// Each process has a hundred ports of its own and takes them in turn: one that was given is not given again while its server starts.
const FIRST_OF_OURS = 10_000 + (process.pid % 100) * 100;
let given = Math.floor(Math.random() * 100);

/**
 * A free port of 127.0.0.1 from below the range out of which systems give ports to outgoing connections: while the server
 * on it is down, none of the clients that keep trying can be given it as its own.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = FIRST_OF_OURS + (given++ % 100);
    const isFree = await new Promise<boolean>((done) => {
      const probe = createServer();
      probe.once('error', () => done(false));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
