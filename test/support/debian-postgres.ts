import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { serverAccount } from '#database/postgres-account';
import { setOwner, stopPostmaster } from '#database/postgres-cluster';
import { spawnPostgres } from '#database/postgres-process';
import { debianPostgres } from '../../tools/debian-postgres.mjs';
import { quietPort } from './quiet-port.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

export { debianPostgres };

export type DebianPostgres = {
  /** Connects as superuser to the database `postgres`. Passwords are not checked. */
  url: string;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
};

/** Starts a new server with the defaults of its package, except that it does not wait for the disk. Stop it in an `afterAll`. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  if (debianPostgres === undefined) throw new Error('There is no PostgreSQL of Debian.');
  const folder = temporaryFolder('debian');
  // What a killed run leaves behind is found by this name: see cluster.setup.ts.
  const directory = join(folder, 'postgres');
  const binaries = { postgres: join(debianPostgres, 'postgres'), initdb: join(debianPostgres, 'initdb') };
  const cluster = { directory, isEnclosed: false, account: serverAccount(directory), binaries };
  mkdirSync(directory, { mode: 0o700 });
  setOwner(cluster.account, directory);
  const form = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(binaries.initdb, ['-D', directory, ...form], { ...cluster.account, cwd: directory, stdio: 'pipe' });

  const port = await quietPort();
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'a');
  const place = ['-D', directory, '-h', '127.0.0.1', '-p', `${port}`, '-k', ''];
  const server = spawnPostgres(cluster, [...place, '-c', 'fsync=off'], log);
  closeSync(log);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await until(async () => !server.isRunning() || (await answers(url)));
  if (!server.isRunning()) throw new Error(`PostgreSQL did not start:\n${readFileSync(logFile, 'utf8')}`);
  return {
    url,
    async stop() {
      if (server.pid !== undefined) await stopPostmaster(cluster, server.pid);
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } finally {
    await client.end();
  }
}
