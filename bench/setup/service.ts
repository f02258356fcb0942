import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { request } from 'undici';
import { freePort } from '#base/free-port';
import { until } from '../../test/support/until.js';

/** A server in its own process, on a port of 127.0.0.1. */
export type Service = Readonly<{ port: number; pid: number; stop(): Promise<void> }>;

const dist = resolve(import.meta.dirname, '../..');

/** Built files are one folder below the repository. */
const repository = resolve(dist, '..');

export type Program = Readonly<{
  /** Relative to dist. */
  file: string;
  args?: (port: number) => string[];
  /** Its whole environment. */
  environment?: (port: number) => Record<string, string>;
  /** Answers with 200 when the server is ready. */
  readyPath: string;
  /** For example for a profiler. */
  nodeOptions?: readonly string[];
}>;

/** Runs a built program without its log, and waits until it is ready. */
export async function startService(program: Program): Promise<Service> {
  const { file, args = () => [], environment = () => ({}), readyPath, nodeOptions = [] } = program;
  const port = await freePort();
  const child = spawn(process.execPath, [...nodeOptions, join(dist, file), ...args(port)], {
    cwd: repository,
    env: environment(port),
    // Over the IPC channel it notices that the bench has ended, however it ended.
    stdio: ['ignore', openSync(devNull, 'w'), 'inherit', 'ipc'],
  });
  await until(async () => child.exitCode !== null || (await isReady(port, readyPath)), { withinMs: 60_000 });
  const { pid } = child;
  if (child.exitCode !== null || pid === undefined) throw new Error(`${file} ended with code ${child.exitCode}`);
  return {
    port,
    pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function isReady(port: number, path: string): Promise<boolean> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
  await body.dump();
  return statusCode === 200;
}
