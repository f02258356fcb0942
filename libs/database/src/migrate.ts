import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ensureApplicationRole } from './application-role.js';
import { migrations } from './migrations.js';
import { IS_READ_ONLY, READ_ONLY, UnusableDatabase } from './unusable-database.js';

const MIGRATION_LOCK = 8143;
const LOCK_POLL_MS = 100;
const OLDEST_SERVER = 150_000;

/**
 * Returns the names of the migrations that ran. The address must name the owner. If several processes call this at once, one migrates and
 * the others wait.
 * @throws UnusableDatabase for a standby, an old server, or a missing role
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'willcall migrate' });
  await client.connect();
  try {
    await rejectReadOnly(client);
    await lockMigrations(client);
    await rejectOldServer(client);
    await ensureApplicationRole(client);
    return await runMigrations(databaseUrl);
  } finally {
    await client.end();
  }
}

export function migrationOptions(databaseUrl: string): DataSourceOptions {
  // Otherwise TypeORM loads a second pg beside the one in the bundle.
  return { type: 'postgres', driver: pg, url: databaseUrl, migrations, migrationsTransactionMode: 'each', poolSize: 1 };
}

async function runMigrations(databaseUrl: string): Promise<string[]> {
  const source = new DataSource(migrationOptions(databaseUrl));
  await source.initialize();
  try {
    const ran = await source.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}

/** Polls, because a statement that waits for the lock holds a snapshot, and `create index concurrently` waits for snapshots. */
async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [MIGRATION_LOCK]);
    if (rows[0]?.free) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function rejectReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ read_only: boolean }>(IS_READ_ONLY);
  if (rows[0]?.read_only) throw new UnusableDatabase(READ_ONLY);
}

async function rejectOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const server = rows[0];
  if (server && server.number < OLDEST_SERVER) {
    throw new UnusableDatabase(`Willcall needs PostgreSQL 15 or newer; the server is ${server.version}.`);
  }
}
