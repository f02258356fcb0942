import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { setOwner } from '#database/postgres-cluster';
import { serverAccount } from '#database/postgres-account';
import { ownerPool } from './database.js';
import { copyMigratedCluster } from './migrated-cluster.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** A primary, and a standby that every commit waits for. */
export type ReplicatedCluster = Readonly<{
  /** The database `willcall`, migrated and empty, on both servers, as superuser. The standby comes first. */
  url: string;
  /** The same with the login of api and worker. */
  applicationUrl: string;
  primary: EmbeddedPostgres;
  standby: EmbeddedPostgres;
  /** Begins to log all statements of the standby. Returns what reads the log: the name of the program, and what it asked. */
  watchStandby(): Promise<() => string>;
  /** kill -9 of the primary, and the standby becomes the primary. */
  failOver(): Promise<void>;
  /** Stops the servers and removes their files. */
  remove(): Promise<void>;
}>;

export async function createReplicatedCluster(): Promise<ReplicatedCluster> {
  const folder = temporaryFolder('replicated');
  const [ofPrimary, ofStandby] = [join(folder, 'primary'), join(folder, 'standby')];
  await copyMigratedCluster(ofPrimary);
  // The copied cluster was made with a log that has too little for a standby.
  await (await startEmbeddedPostgres({ dataDirectory: ofPrimary, durable: true })).stop();
  execFileSync('cp', ['-a', realpathSync(ofPrimary), ofStandby]);
  const primary = await startEmbeddedPostgres({ dataDirectory: ofPrimary, durable: true });
  const { hostname, port, username, password } = new URL(primary.url);
  const signal = join(ofStandby, 'standby.signal');
  writeFileSync(signal, '', { mode: 0o600 });
  setOwner(serverAccount(ofStandby), signal);
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  const standby = await startEmbeddedPostgres({
    dataDirectory: ofStandby,
    durable: true,
    serverOptions: { primary_conninfo },
  });
  await makeSynchronous(primary.url);
  const both = (one: string, other: string) => one.replace(/@(.*)\//, `@$1,${new URL(other).host}/`);
  return {
    url: both(standby.url, primary.url),
    applicationUrl: both(standby.applicationUrl, primary.applicationUrl),
    primary,
    standby,
    async watchStandby() {
      const pool = ownerPool(standby.url);
      await pool.query(`alter system set log_line_prefix = '%a: '`);
      await pool.query(`alter system set log_statement = 'all'`);
      await pool.query('select pg_reload_conf()');
      await pool.end();
      return () => readFileSync(join(ofStandby, 'server.log'), 'utf8');
    },
    async failOver() {
      primary.kill();
      await primary.exited;
      await promote(standby.url);
    },
    async remove() {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Not before the standby follows: nothing could be written. */
async function makeSynchronous(url: string): Promise<void> {
  const pool = ownerPool(url);
  await until(
    async () => (await pool.query(`select from pg_stat_replication where state = 'streaming'`)).rowCount === 1,
  );
  await pool.query(`alter system set synchronous_standby_names = '*'`);
  await pool.query('select pg_reload_conf()');
  await until(
    async () => (await pool.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount === 1,
  );
  await pool.end();
}

async function promote(url: string): Promise<void> {
  const pool = ownerPool(url);
  await pool.query('select pg_promote()');
  await pool.end();
}
