import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietPort } from './quiet-port.js';
import { until } from './until.js';

/** False where there is no `redis-server` on the PATH: suites that need it are skipped (`describe.skipIf`). */
export const redisAvailable = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

export type TestRedis = {
  /** The same after `restart`. */
  url: string;
  port: number;
  /** Where its files are. */
  folder: string;
  pid(): number;
  /** kill -9; what its append-only file holds is there again after `restart`. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
};

/** A Redis set up as production's must be: nothing is evicted, and an append-only file. Stop it in an `afterAll`. */
export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'willcall-redis-'));
  const port = await quietPort();
  let server = await launch(folder, port);
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    pid: () => server.pid ?? 0,
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGTERM');
      server = await launch(folder, port);
    },
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, port: number) {
  const place = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, '--save', ''];
  const safety = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const server = spawn('redis-server', [...place, ...safety], { stdio: 'ignore' });
  await until(async () => server.exitCode !== null || (await answers(port)));
  if (server.exitCode !== null) throw new Error(`redis-server ended with code ${server.exitCode}`);
  return server;
}

/** PONG only: while Redis still reads its file it answers with an error. */
async function answers(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString() === '+PONG\r\n';
  } finally {
    socket.destroy();
  }
}
