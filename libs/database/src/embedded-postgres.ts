import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
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
import { spawnPostgres } from './postgres-process.js';

export type EmbeddedPostgresOptions = {
  dataDirectory: string;
  /** Settings of postgresql.conf that win over ours. */
  serverOptions?: Record<string, string>;
  /** False for tests only: nothing is flushed to disk. */
  durable: boolean;
  /** To come back where clients look for it; without it a free one is chosen. */
  port?: number;
  /** Ends a start that is under way, which then fails: the server may take minutes to recover before it answers. */
  giveUp?: AbortSignal;
};

export type EmbeddedPostgres = {
  /** Of the database `willcall`, as its owner. */
  url: string;
  pid: number;
  port: number;
  /** True when another live process runs this cluster: then `stop` leaves it running. */
  borrowed: boolean;
  stop(): Promise<void>;
  /** Ends the server's processes at once, even ones that stand still; the next start recovers. Not a borrowed server. */
  kill(): void;
  /** The exit code, null after a signal (or, for a borrowed server, when it is lost). */
  exited: Promise<number | null>;
};

const DATABASE = 'willcall';
const CANNOT_CONNECT_NOW = '57P03';
// Whoever holds this lock on the database `postgres` runs the server; it goes away with its process, however that ends.
const OWNERSHIP = 8142;
// Crash recovery after a long load may take its time before the server answers.
const READY_WITHIN_MS = 120_000;
// A refusal may come from another server on the chosen port; ours then ends by itself at once.
const REFUSED_WITHIN_MS = 5_000;
// How long a predecessor's last processes may keep its shared memory.
const PREDECESSOR_GONE_WITHIN_MS = 15_000;
// A server that has yet to start has nothing to finish; one that stands still is killed then.
const GIVEN_UP_WITHIN_MS = 5_000;

/**
 * Runs the PostgreSQL that npm installed, on 127.0.0.1, in its own session: a Ctrl-C in the terminal does not reach it,
 * so that the processes which use it can finish first. A server that a killed process has left is replaced. Of several
 * starts at once one makes the cluster and runs the server, and the others borrow it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return withDirectoryLock(options.dataDirectory, () => startLocked(options));
}

async function startLocked(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.dataDirectory, options.durable);
  const deadline = Date.now() + PREDECESSOR_GONE_WITHIN_MS;
  for (;;) {
    options.giveUp?.throwIfAborted();
    const borrowed = await borrow(cluster, options.giveUp);
    if (borrowed) return borrowed;
    try {
      return await launchPostgres(cluster, options);
    } catch (error) {
      const mayPass = error instanceof ServerDidNotStart && error.mayPass && Date.now() < deadline;
      if (!mayPass) throw error;
      await sleep(100);
    }
  }
}

class ServerDidNotStart extends Error {
  constructor(
    log: string,
    readonly mayPass = /pre-existing shared memory|lock file .* already exists|Address already in use/i.test(log),
  ) {
    super(`The embedded PostgreSQL did not start:\n${log.trim()}`);
  }
}

async function borrow(cluster: Cluster, giveUp: AbortSignal | undefined): Promise<EmbeddedPostgres | null> {
  const running = runningPostmaster(cluster);
  if (!running) return null;
  const isRunning = () => runningPostmaster(cluster)?.pid === running.pid;
  const client = await connect(cluster, running.port, () => !giveUp?.aborted && isRunning());
  if (!client) return null;
  const orphan = await isOrphan(client).catch(() => undefined);
  if (orphan === undefined) {
    // It is ending: its watchdog has seen that its process was killed. Until it is gone a launch is refused and tried again.
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
    url: clusterUrl(cluster, running.port, DATABASE),
    borrowed: true,
    stop: () => client.end(),
    kill: () => undefined,
    exited,
  };
}

/** Asked twice: the owner of a server that has only just started has yet to say so. */
async function isOrphan(client: pg.Client): Promise<boolean> {
  for (let asked = 0; asked < 2; asked += 1) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [OWNERSHIP]);
    if (!rows[0]?.free) return false;
    await client.query('select pg_advisory_unlock_all()');
    await sleep(500);
  }
  return true;
}

/** Runs the server on a cluster that nobody runs, and waits until it answers. */
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
  const client = await endedBy(options.giveUp, { cluster, pid, isRunning }, connect(cluster, port, isRunning));
  if (!client || pid === undefined || options.giveUp?.aborted) {
    await exited;
    await client?.end().catch(() => undefined);
    options.giveUp?.throwIfAborted();
    throw new ServerDidNotStart(readFileSync(logFile).subarray(logged).toString());
  }
  const stop = async () => {
    if (isRunning()) await stopPostmaster(cluster, pid);
    await exited;
    await client.end().catch(() => undefined);
  };
  try {
    await client.query('select pg_advisory_lock($1)', [OWNERSHIP]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const kill = () => {
    if (isRunning()) killPostmaster(pid);
  };
  return { url: clusterUrl(cluster, port, DATABASE), pid, port, borrowed: false, stop, kill, exited };
}

type Launched = Readonly<{ cluster: Cluster; pid: number | undefined; isRunning: () => boolean }>;

/** What comes of `connecting`; on `giveUp` its server is stopped. */
async function endedBy<T>(giveUp: AbortSignal | undefined, launched: Launched, connecting: Promise<T>): Promise<T> {
  const { cluster, pid, isRunning } = launched;
  const end = () => {
    if (pid === undefined || !isRunning()) return;
    void stopPostmaster(cluster, pid);
    setTimeout(() => isRunning() && killPostmaster(pid), GIVEN_UP_WITHIN_MS).unref();
  };
  giveUp?.addEventListener('abort', end, { once: true });
  if (giveUp?.aborted) end();
  try {
    return await connecting;
  } finally {
    giveUp?.removeEventListener('abort', end);
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
    // Rejected statements are the application's business; its own starts, stops and faults are logged.
    log_min_messages: 'log',
    log_checkpoints: 'off',
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

/** Null when the server has ended before it answered. */
async function connect(cluster: Cluster, port: number, isRunning: () => boolean): Promise<pg.Client | null> {
  const began = Date.now();
  const connectionString = clusterUrl(cluster, port, 'postgres');
  while (isRunning()) {
    const client = new pg.Client({ connectionString, application_name: `willcall ${process.pid}`, keepAlive: true });
    // Losing this connection is no news: `exited` tells.
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

/**
 * Below the range from which systems choose ports for outgoing connections: clients that keep trying while the server
 * is down could otherwise be given its very port as their own, and so keep it from coming back.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const isFree = await new Promise<boolean>((done) => {
      const probe = createServer();
      probe.once('error', () => done(false));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
