import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#database/embedded-postgres';
import { createPool } from '#database/pool';
import { type ClusterLogin, clusterUrl } from '#database/postgres-cluster';
import { copyMigratedCluster } from './migrated-cluster.js';
import { temporaryFolder } from './temporary-folder.js';

export type TestDatabase = {
  /** Connects as superuser. `applicationUrl` has the login of api and worker. */
  url: string;
  drop(): Promise<void>;
};

/** Creates a database on this run's cluster: migrated and empty, or a copy of another. Nobody may be connected to that one. */
export async function createTestDatabase(like?: TestDatabase): Promise<TestDatabase> {
  const clusterUrl = inject('clusterUrl');
  const template = like ? new URL(like.url).pathname.slice(1) : inject('templateDatabase');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(clusterUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: clusterUrl.replace(/\/[^/]*$/, `/${name}`),
    drop: () => onCluster(clusterUrl, `drop database ${name} with (force)`),
  };
}

/** The address with the login of api and worker, for every cluster of this run. */
export function applicationUrl(url: string): string {
  return withLogin(url, 'application');
}

/** With the login that migrates. Only on the database `willcall` of a cluster of its own it may create schemas. */
export function ownerUrl(url: string): string {
  return withLogin(url, 'owner');
}

/** All clusters are copies of one, so they have the same passwords. */
function withLogin(url: string, login: ClusterLogin): string {
  if (!URL.canParse(url)) return url;
  const { username, password } = new URL(clusterUrl({ directory: inject('emptyCluster') }, 0, '', login));
  return Object.assign(new URL(url), { username, password }).href;
}

/** A few connections with the rights of the owner. */
export function ownerPool(databaseUrl: string): pg.Pool {
  return createPool({ databaseUrl, max: 4, applicationName: 'test', asOwner: true, onError: () => undefined });
}

export type DurableCluster = {
  /** The database `willcall`, migrated and empty. The url stays the same after `restart`. */
  url: string;
  /** The folder with its files and its log. */
  dataDirectory: string;
  pid(): number;
  /** kill -9 of the postmaster. Connections break; committed data is on disk. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Copies the files. The server must have been killed. */
  save(): void;
  /** Restores the copy with a recovery, which starts a new timeline. The server must have been killed. */
  restore(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
};

/** A cluster of its own that flushes each commit as in production. For tests that kill it. */
export async function createDurableCluster(): Promise<DurableCluster> {
  const folder = temporaryFolder('durable');
  const dataDirectory = join(folder, 'postgres');
  await copyMigratedCluster(dataDirectory);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDirectory, durable: true });
  const { url, port } = server;
  const copy = `${realpathSync(dataDirectory)}.copy`;
  const restart = async () => {
    server = await startEmbeddedPostgres({ dataDirectory, durable: true, port });
  };
  return {
    url,
    dataDirectory,
    pid: () => server.pid,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    restart,
    save() {
      execFileSync('cp', ['-a', realpathSync(dataDirectory), copy]);
    },
    async restore() {
      const files = realpathSync(dataDirectory);
      rmSync(files, { recursive: true });
      execFileSync('cp', ['-a', copy, files]);
      rmSync(join(files, 'postmaster.pid'), { force: true });
      writeFileSync(join(files, 'recovery.signal'), '');
      // There is no archive. The copy has all WAL in pg_wal.
      appendFileSync(join(files, 'postgresql.auto.conf'), "restore_command = 'false'\n");
      await restart();
    },
    async remove() {
      await server.stop();
      rmSync(copy, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the data directory of a new cluster into the folder. Returns its path. */
export function copyEmptyCluster(folder: string): string {
  const dataDirectory = join(folder, 'postgres');
  execFileSync('cp', ['-a', inject('emptyCluster'), dataDirectory]);
  return dataDirectory;
}

async function onCluster(clusterUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
