import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#base/free-port';
import {
  clusterUrl,
  directoryArgument,
  killPostmaster,
  openCluster,
  runningPostmaster,
  stopPostmaster,
  type Cluster,
} from './postgres-cluster.js';
import { withDirectoryLock } from './directory-lock.js';
import { ensureEmbeddedLogins } from './embedded-logins.js';
import { spawnPostgres } from './postgres-process.js';
import { singleClient } from './single-client.js';

export type EmbeddedPostgresOptions = {
  dataDirectory: string;
  serverOptions?: Record<string, string>;
  /** False skips flushing to disk. For tests only. */
  durable: boolean;
  port?: number;
  /** Aborts a start, which may take minutes if the server has to recover. */
  signal?: AbortSignal;
};

export type EmbeddedPostgres = {
  /** Connects as superuser. */
  url: string;
  /** With the login of migrations and repairs. */
  ownerUrl: string;
  /** With the login of api and worker. */
  applicationUrl: string;
  pid: number;
  port: number;
  /** Another live process runs this cluster. `stop` then leaves it running. */
  borrowed: boolean;
  stop(): Promise<void>;
  /** Kills even stopped processes of the server. The next start recovers. Does nothing to a borrowed server. */
  kill(): void;
  /** The exit code. Null after a signal, or when a borrowed server is lost. */
  exited: Promise<number | null>;
};

const DATABASE = 'willcall';
const CANNOT_CONNECT_NOW = '57P03';
// The process that runs the server holds this lock on the database `postgres`. It is released however that process ends.
const OWNERSHIP_LOCK = 8142;
const READY_WITHIN_MS = 120_000;
// Another server on the chosen port may refuse our login. Ours then exits at once by itself.
const REFUSED_WITHIN_MS = 5_000;
// The last processes of a previous server may keep its shared memory this long.
const PREDECESSOR_GONE_WITHIN_MS = 15_000;
// A server that has not started yet has nothing to finish, so it is killed after this time.
const GIVEN_UP_WITHIN_MS = 5_000;

/**
 * Runs the PostgreSQL that npm installed, on 127.0.0.1. It has its own session, so Ctrl-C does not reach it and its users can finish first.
 * Replaces a server whose owner was killed. If several processes start at once, one runs the server and the others borrow it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return withDirectoryLock(options.dataDirectory, () => startWithLogins(options));
}

async function startWithLogins(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { cluster, server } = await startLocked(options);
  try {
    await ensureEmbeddedLogins(cluster, server.port, DATABASE);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

async function startLocked(options: EmbeddedPostgresOptions): Promise<{ cluster: Cluster; server: EmbeddedPostgres }> {
  const cluster = await openCluster(options.dataDirectory, options.durable);
  const deadline = Date.now() + PREDECESSOR_GONE_WITHIN_MS;
  for (;;) {
    options.signal?.throwIfAborted();
    const borrowed = await borrow(cluster, options.signal);
    if (borrowed) return { cluster, server: borrowed };
    try {
      return { cluster, server: await launchPostgres(cluster, options) };
    } catch (error) {
      const isTransient = error instanceof StartupError && error.mayPass && Date.now() < deadline;
      if (!isTransient) throw error;
      await sleep(100);
    }
  }
}

class StartupError extends Error {
  constructor(
    log: string,
    readonly mayPass = /pre-existing shared memory|lock file .* already exists|Address already in use/i.test(log),
  ) {
    super(`The embedded PostgreSQL did not start:\n${log.trim()}`);
  }
}

async function borrow(cluster: Cluster, signal: AbortSignal | undefined): Promise<EmbeddedPostgres | null> {
  const running = runningPostmaster(cluster);
  if (!running) return null;
  const isRunning = () => runningPostmaster(cluster)?.pid === running.pid;
  const client = await connect(cluster, running.port, () => !signal?.aborted && isRunning());
  if (!client) return null;
  const orphan = await isOrphan(client).catch(() => undefined);
  if (orphan === undefined) {
    // The server shuts down, because its owner was killed. Launching retries until it is gone.
    await client.end().catch(() => undefined);
    return null;
  }
  if (orphan) {
    await client.end().catch(() => undefined);
    await stopPostmaster(cluster, running.pid);
    return null;
  }
  const exited = new Promise<null>((done) => client.once('end', () => done(null)));
  return {
    ...running,
    ...urlsOf(cluster, running.port),
    borrowed: true,
    stop: () => client.end(),
    kill: () => undefined,
    exited,
  };
}

/** Checks twice, because the owner of a server that has just started may not hold the lock yet. */
async function isOrphan(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [OWNERSHIP_LOCK]);
    if (!rows[0]?.free) return false;
    await client.query('select pg_advisory_unlock_all()');
    await sleep(500);
  }
  return true;
}

export async function launchPostgres(
  cluster: Cluster,
  options: Omit<EmbeddedPostgresOptions, 'dataDirectory'>,
): Promise<EmbeddedPostgres> {
  const port = options.port ?? (await freePort());
  const logFile = join(cluster.directory, 'server.log');
  const log = openSync(logFile, 'a');
  const logged = readFileSync(logFile).length;
  const { pid, isRunning, exited } = spawnPostgres(cluster, serverArguments(cluster, port, options), log);
  closeSync(log);
  const client = await stopOnAbort(options.signal, { cluster, pid, isRunning }, connect(cluster, port, isRunning));
  if (!client || pid === undefined || options.signal?.aborted) {
    await exited;
    await client?.end().catch(() => undefined);
    options.signal?.throwIfAborted();
    throw new StartupError(readFileSync(logFile).subarray(logged).toString());
  }
  const stop = async () => {
    if (isRunning()) await stopPostmaster(cluster, pid);
    await exited;
    await client.end().catch(() => undefined);
  };
  try {
    await client.query('select pg_advisory_lock($1)', [OWNERSHIP_LOCK]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const kill = () => {
    if (isRunning()) killPostmaster(pid);
  };
  return { ...urlsOf(cluster, port), pid, port, borrowed: false, stop, kill, exited };
}

function urlsOf(cluster: Cluster, port: number): Pick<EmbeddedPostgres, 'url' | 'ownerUrl' | 'applicationUrl'> {
  return {
    url: clusterUrl(cluster, port, DATABASE),
    ownerUrl: clusterUrl(cluster, port, DATABASE, 'owner'),
    applicationUrl: clusterUrl(cluster, port, DATABASE, 'application'),
  };
}

type Launched = Readonly<{ cluster: Cluster; pid: number | undefined; isRunning: () => boolean }>;

async function stopOnAbort<T>(signal: AbortSignal | undefined, launched: Launched, connecting: Promise<T>): Promise<T> {
  const { cluster, pid, isRunning } = launched;
  const end = () => {
    if (pid === undefined || !isRunning()) return;
    void stopPostmaster(cluster, pid);
    setTimeout(() => isRunning() && killPostmaster(pid), GIVEN_UP_WITHIN_MS).unref();
  };
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    return await connecting;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

function serverArguments(
  cluster: Cluster,
  port: number,
  options: Omit<EmbeddedPostgresOptions, 'dataDirectory'>,
): string[] {
  const settings = {
    max_connections: '200',
    timezone: 'UTC',
    // Failed statements are the application's concern. The server's own starts, stops and errors are logged.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // The first change of a page after a checkpoint writes the whole page.
    wal_compression: 'on',
    ...(options.durable
      ? {}
      : {
          fsync: 'off',
          full_page_writes: 'off',
          synchronous_commit: 'off',
          wal_level: 'minimal',
          max_wal_senders: '0',
        }),
    ...options.serverOptions,
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directoryArgument(cluster), '-h', '127.0.0.1', '-p', `${port}`, '-k', '', ...assignments];
}

async function connect(cluster: Cluster, port: number, isRunning: () => boolean): Promise<pg.Client | null> {
  const began = Date.now();
  const databaseUrl = clusterUrl(cluster, port, 'postgres');
  while (isRunning()) {
    const client = singleClient(databaseUrl, `willcall ${process.pid}`, { keepAlive: true });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      const isRefused = error instanceof pg.DatabaseError && error.code !== CANNOT_CONNECT_NOW;
      if (Date.now() > began + (isRefused ? REFUSED_WITHIN_MS : READY_WITHIN_MS)) throw error;
      await sleep(20);
    }
  }
  return null;
}
