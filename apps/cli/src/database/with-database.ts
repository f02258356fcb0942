import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rejectReadOnly } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { adviceFor, UnusableDatabase } from '#database/unusable-database';
import { UserError } from '../terminal/user-error.js';

export const embeddedDirectory = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/** Who works on the database. Only a backup of the embedded server needs its superuser. */
type DatabaseLogin = 'application' | 'owner' | 'superuser';

const EMBEDDED_URL = {
  application: 'applicationUrl',
  owner: 'ownerUrl',
  superuser: 'url',
} as const satisfies Record<DatabaseLogin, keyof EmbeddedPostgres>;

type Options = Readonly<{ create?: boolean; as?: DatabaseLogin }>;

/**
 * Runs `work` with the address of the database of the settings: the server of DATABASE_URL, or the embedded one in DATA_DIR. If
 * `npm start` does not run, the embedded one runs only during `work`. `create` creates a missing one.
 * @param options.as whose login the address has. On a server of your own the owner is MIGRATION_DATABASE_URL; without it DATABASE_URL is
 * tried, because it may name the owner of a server that only commands use.
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (databaseUrl: string, applicationUrl: string) => Promise<T>,
  { create = false, as = 'application' }: Options = {},
): Promise<T> {
  const { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: ownerUrl } = settings;
  if (databaseUrl !== undefined) {
    if (as === 'application') return withMigrationAdvice(() => work(databaseUrl, databaseUrl));
    rejectReadOnly(settings);
    return asOwner(settings, () => withMigrationAdvice(() => work(ownerUrl ?? databaseUrl, databaseUrl)));
  }
  if (!create && !existsSync(join(embeddedDirectory(settings), 'PG_VERSION'))) {
    throw new UserError(
      `There is no installation in ${resolve(settings.DATA_DIR)}: go to the folder of the installation, set DATA_DIR or DATABASE_URL, or run \`npm start\` first.`,
    );
  }
  const server = await startEmbeddedPostgres({ dataDirectory: embeddedDirectory(settings), durable: true });
  try {
    return await withMigrationAdvice(() => work(server[EMBEDDED_URL[as]], server.applicationUrl));
  } finally {
    await server.stop();
  }
}

/** Errors of `work` name MIGRATION_DATABASE_URL, or say that it is missing. */
export async function asOwner<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  const { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: ownerUrl } = settings;
  try {
    return await work();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (databaseUrl === undefined || typeof code !== 'string') throw error;
    const advice =
      ownerUrl === undefined && code === RIGHT_MISSING
        ? `This needs the owner's login (${(error as Error).message}): set MIGRATION_DATABASE_URL to it.`
        : adviceFor(error, ownerUrl ?? databaseUrl, ownerUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL');
    // The code decides the exit code.
    throw advice === undefined ? error : Object.assign(new UnusableDatabase(advice), { code });
  }
}

const RIGHT_MISSING = '42501';

// undefined_table; invalid_parameter_value if the server does not even have the role that a migration creates.
const NEVER_MIGRATED = ['42P01', '22023'];

async function withMigrationAdvice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isEmpty = NEVER_MIGRATED.includes(String((error as { code?: unknown }).code));
    throw isEmpty ? new UserError('The database is empty: run `npm start` or `migrate` first.') : error;
  }
}
