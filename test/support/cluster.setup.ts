import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureEmbeddedLogins } from '#database/embedded-logins';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { migrate } from '#database/migrate';
import { type Cluster, type ClusterLogin, clusterUrl as urlIn, LOGINS, openCluster } from '#database/postgres-cluster';
import { startDebianPostgres } from './debian-postgres.js';
import { memoryFolder, TEST_FOLDER } from './temporary-folder.js';

/** The project that runs against Debian's PostgreSQL: see vitest.config.ts. */
const DEBIAN = 'int-debian';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects as superuser to the database `postgres` of this run's cluster. */
    clusterUrl: string;
    templateDatabase: string;
    /** A data directory as initdb leaves it. Copying it is much quicker than creating another. */
    emptyCluster: string;
    /** The folder of this run of the project, removed at its end. */
    runFolder: string;
  }
}

/** One cluster for each project of a run, with a migrated database that every test clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweep();
  if (project.name === 'e2e') buildDist();
  const folder = join(memoryFolder(), `${TEST_FOLDER}${process.pid}-${project.name}`);
  mkdirSync(folder);
  const emptyCluster = join(folder, 'empty');
  const empty = await openCluster(emptyCluster, false);
  const server = project.name === DEBIAN ? await startDebian(empty) : await startEmbedded(folder, emptyCluster);
  await onCluster(server.clusterUrl, 'alter database willcall with is_template true allow_connections false');
  project.provide('clusterUrl', server.clusterUrl);
  project.provide('templateDatabase', 'willcall');
  project.provide('emptyCluster', emptyCluster);
  project.provide('runFolder', folder);
  // On Ctrl-C Vitest ends without the teardown.
  const onExit = () => discard(folder);
  process.once('exit', onExit);
  // Tests forget folders, which take memory. Their processes have ended by then.
  process.once('exit', sweep);
  return async () => {
    process.off('exit', onExit);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

type Server = Readonly<{ clusterUrl: string; stop(): Promise<void> }>;

async function startEmbedded(folder: string, emptyCluster: string): Promise<Server> {
  const dataDirectory = join(folder, 'postgres');
  execFileSync('cp', ['-a', emptyCluster, dataDirectory]);
  const serverOptions = { shared_buffers: '256MB' };
  const server = await startEmbeddedPostgres({ dataDirectory, durable: false, serverOptions });
  await migrate(server.ownerUrl, server.applicationUrl);
  const clusterUrl = server.url.replace(/\/[^/]*$/, '/postgres');
  const logins = Object.keys(LOGINS) as ClusterLogin[];
  await onCluster(clusterUrl, ...logins.map((login) => cheapPassword(login, emptyCluster)));
  return { clusterUrl, stop: () => server.stop() };
}

/** The oldest supported server with the defaults of its package, among them JIT, which the embedded one lacks. It checks no passwords. */
async function startDebian(logins: Cluster): Promise<Server> {
  const server = await startDebianPostgres();
  await onCluster(server.url, 'create database willcall');
  const port = Number(new URL(server.url).port);
  await ensureEmbeddedLogins(logins, port, 'willcall');
  await migrate(urlIn(logins, port, 'willcall', 'owner'), urlIn(logins, port, 'willcall', 'application'));
  return { clusterUrl: server.url, stop: () => server.stop() };
}

async function onCluster(clusterUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** End-to-end tests run the built files. */
function buildDist(): void {
  const ensure = resolve(import.meta.dirname, '../../tools/ensure.mjs');
  execFileSync(process.execPath, [ensure, '--checks'], { stdio: 'inherit' });
}

/** Makes connections cheap: tests open thousands, and checking a password takes the most of each. */
function cheapPassword(login: ClusterLogin, directory: string): string {
  const { username, password } = new URL(urlIn({ directory }, 0, '', login));
  return `set scram_iterations = 1; alter role ${username} password '${password}'`;
}

/** Removes what processes that have ended left behind. A run that was killed leaves its server, which ends too. */
function sweep(): void {
  for (const name of readdirSync(memoryFolder())) {
    const runner = Number(name.startsWith(TEST_FOLDER) && name.slice(TEST_FOLDER.length).split('-')[0]);
    if (!runner || isAlive(runner)) continue;
    discard(join(memoryFolder(), name));
  }
}

function discard(folder: string): void {
  const lock = join(folder, 'postgres', 'postmaster.pid');
  try {
    if (existsSync(lock)) process.kill(Number(readFileSync(lock, 'utf8').split('\n')[0]), 'SIGQUIT');
  } catch {
    // Gone already.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
