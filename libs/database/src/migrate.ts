import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { allowAnalysts, createAnalystRole } from './analyst-role.js';
import { ensureApplicationLogin } from './application-login.js';
import { ensureApplicationRole } from './application-role.js';
import { migrations } from './migrations.js';
import { ensureOwnerRole, ensureQueueSchema, OWNER_ROLE } from './owner-role.js';
import { PrimaryClient } from './primary-client.js';
import { sessionConfig } from './session.js';
import { singleClient } from './single-client.js';
import { IS_READ_ONLY, READ_ONLY, UnusableDatabase } from './unusable-database.js';

const MIGRATION_LOCK = 8143;
const LOCK_POLL_MS = 100;
const OLDEST_SERVER = 150_000;
// Managed servers give logins or databases a limit that suits requests.
const WITHOUT_TIME_LIMIT = '-c statement_timeout=0';

/**
 * Returns the names of the migrations that ran. If several processes call this at once, one migrates and the others wait.
 * @param ownerUrl with a login that may act as the owner
 * @param applicationUrl with the login of api and worker, which is created if it is missing and the owner may
 * @throws UnusableDatabase for a standby, an old server, or a missing role
 */
export async function migrate(ownerUrl: string, applicationUrl?: string): Promise<string[]> {
  const client = singleClient(ownerUrl, 'willcall migrate', {}, [WITHOUT_TIME_LIMIT]);
  await client.connect();
  try {
    await rejectReadOnly(client);
    await lockMigrations(client);
    await rejectOldServer(client);
    await ensureApplicationRole(client);
    const hasOwnerRole = await ensureOwnerRole(client);
    const ran = await runMigrations(ownerUrl, hasOwnerRole ? OWNER_ROLE : undefined);
    await ensureQueueSchema(client);
    await createAnalystRole(client);
    await allowAnalysts(client);
    if (applicationUrl !== undefined) await ensureApplicationLogin(client, applicationUrl);
    return ran;
  } finally {
    await client.end();
  }
}

/** @param role that the new tables belong to; undefined = the login itself */
export function migrationOptions(databaseUrl: string, role?: string): DataSourceOptions {
  const session = [WITHOUT_TIME_LIMIT, ...(role === undefined ? [] : [`-c role=${role}`])];
  const extra = sessionConfig(databaseUrl, 'willcall migrations', session);
  // Without `driver`, TypeORM loads a second pg beside the one in the bundle.
  const driver = { type: 'postgres', driver: pg, extra: { ...extra, Client: PrimaryClient } } as const;
  return { ...driver, migrations, migrationsTransactionMode: 'each', poolSize: 1 };
}

async function runMigrations(databaseUrl: string, role: string | undefined): Promise<string[]> {
  const source = new DataSource(migrationOptions(databaseUrl, role));
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
