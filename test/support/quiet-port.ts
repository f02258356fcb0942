import { createServer } from 'node:net';

// Each process has a hundred ports and uses them in turn, so a port is not used twice while its server starts.
const FIRST_OF_OURS = 10_000 + (process.pid % 100) * 100;
let given = Math.floor(Math.random() * 100);

/**
 * A free port of 127.0.0.1 below the range of ephemeral ports. While the server on it is down, the system cannot give the port to a
 * client that keeps connecting.
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
