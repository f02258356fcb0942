import { join } from 'node:path';
import type { Settings } from '#config/settings';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { UserFault } from './user-fault.js';

export const embeddedDirectory = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/**
 * Gives `work` the address of the database that the settings name: the server of DATABASE_URL, or the embedded one in
 * DATA_DIR, as `npm start` has it running or else started for as long as the work takes.
 */
export async function withDatabase<T>(settings: Settings, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const { DATABASE_URL: databaseUrl } = settings;
  if (databaseUrl !== undefined) return migrated(() => work(databaseUrl));
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
    throw isEmpty ? new UserFault('The database is empty: run `npm start` or `migrate` first.') : error;
  }
}
