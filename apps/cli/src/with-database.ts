import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '#config/settings';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { UserError } from './user-error.js';

export const embeddedDirectory = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/**
 * Gives `work` the address of the database that the settings name: the server of DATABASE_URL, or the embedded one in
 * DATA_DIR, as `npm start` has it running or else started for as long as the work takes. `create` makes a new embedded one
 * where there is none.
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (databaseUrl: string) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const { DATABASE_URL: databaseUrl } = settings;
  if (databaseUrl !== undefined) return migrated(() => work(databaseUrl));
  if (!create && !existsSync(join(embeddedDirectory(settings), 'PG_VERSION'))) {
    throw new UserError(
      `There is no installation in ${resolve(settings.DATA_DIR)}: go to the folder of the installation, set DATA_DIR or DATABASE_URL, or run \`npm start\` first.`,
    );
  }
  const server = await startEmbeddedPostgres({ dataDirectory: embeddedDirectory(settings), durable: true });
  try {
    return await migrated(() => work(server.url));
  } finally {
    await server.stop();
  }
}

// undefined_table, and invalid_parameter_value where the server lacks even the role that migrating makes.
const NEVER_MIGRATED = ['42P01', '22023'];

async function migrated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isEmpty = NEVER_MIGRATED.includes(String((error as { code?: unknown }).code));
    throw isEmpty ? new UserError('The database is empty: run `npm start` or `migrate` first.') : error;
  }
}
