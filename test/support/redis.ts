import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { quietPort } from './quiet-port.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** Whether `redis-server` is on the PATH. Otherwise suites that need it are skipped (`describe.skipIf`). */
export const redisAvailable = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

export type TestRedis = {
  /** Stays the same after `restart`. */
  url: string;
  port: number;
  /** The folder with its files. */
  folder: string;
  pid(): number;
  /** kill -9. After `restart` it has the data of its append-only file. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
};

/** Starts a Redis as production needs it: no eviction, and an append-only file. Stop it in an `afterAll`. */
export async function startRedis(): Promise<TestRedis> {
  const folder = temporaryFolder('redis');
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

/** Only PONG counts. While Redis loads its file, it answers with an error. */
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
