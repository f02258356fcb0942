import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '#config/settings';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { UserError } from '../terminal/user-error.js';

export const embeddedDirectory = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/**
 * Runs `work` with the address of the database of the settings: the server of DATABASE_URL, or the embedded one in DATA_DIR. If
 * `npm start` does not run, the embedded one runs only during `work`. `create` creates a missing one.
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (databaseUrl: string) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const { DATABASE_URL: databaseUrl } = settings;
  if (databaseUrl !== undefined) return withMigrationAdvice(() => work(databaseUrl));
  if (!create && !existsSync(join(embeddedDirectory(settings), 'PG_VERSION'))) {
    throw new UserError(
      `There is no installation in ${resolve(settings.DATA_DIR)}: go to the folder of the installation, set DATA_DIR or DATABASE_URL, or run \`npm start\` first.`,
    );
  }
  const server = await startEmbeddedPostgres({ dataDirectory: embeddedDirectory(settings), durable: true });
  try {
    return await withMigrationAdvice(() => work(server.url));
  } finally {
    await server.stop();
  }
}

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
