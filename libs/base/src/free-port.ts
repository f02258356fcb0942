import { once } from 'node:events';
import { createServer } from 'node:net';
import { SystemRandomness, type Randomness } from './randomness.js';

// Below the ranges for outgoing connections (Linux 32768 to 60999, IANA 49152 to 65535). From those the system gives a port to whoever
// listens on port 0 or connects, so a free port of them can be gone before its server listens.
const LOWEST_PORT = 20_000;
const PORT_COUNT = 12_000;

/**
 * A port that is free now, chosen at random so that two callers hardly choose the same. Throws the system's error if `host` is not an
 * address of this machine.
 */
export async function freePort(host = '127.0.0.1', randomness: Randomness = new SystemRandomness()): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(randomness.fraction() * PORT_COUNT);
    if (await isPortFree(host, port)) return port;
  }
}

/** Whether a server could listen there now. Throws the system's error if that has another cause than a port in use. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  const probe = createServer().listen({ host, port, exclusive: true });
  try {
    await once(probe, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
