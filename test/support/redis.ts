import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
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

/**
 * Starts a Redis as production needs it: no eviction, and an append-only file. Stop it in an `afterAll`.
 * @param options further lines of its configuration
 */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const folder = temporaryFolder('redis');
  const port = await quietPort();
  let server = await launch(folder, port, options);
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
      server = await launch(folder, port, options);
    },
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SAFE = [
  'save ""',
  'appendonly yes',
  'appendfsync everysec',
  'maxmemory-policy noeviction',
  'repl-diskless-sync-delay 0',
];

async function launch(folder: string, port: number, options: readonly string[]) {
  return await launchServer([`port ${port}`, `dir ${folder}`, ...SAFE, ...options], port);
}

/** Starts `redis-server` with this configuration, and waits until it answers. */
export async function launchServer(configuration: readonly string[], port: number, ...args: readonly string[]) {
  const file = join(temporaryFolder('redis-configuration'), 'redis.conf');
  writeFileSync(file, ['bind 127.0.0.1', ...configuration].map((line) => `${line}\n`).join(''));
  const server = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
  await until(async () => server.exitCode !== null || (await answers(port)));
  if (server.exitCode !== null) throw new Error(`redis-server ended with code ${server.exitCode}`);
  return server;
}

/** While Redis loads its file, it answers with an error. That it wants a password is an answer too. */
async function answers(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString() === '+PONG\r\n' || answer.toString().startsWith('-NOAUTH');
  } finally {
    socket.destroy();
  }
}
