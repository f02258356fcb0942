import { join } from 'node:path';
import type { Settings } from '#config/settings';
import { startEmbeddedPostgres } from '#database/embedded-postgres';

export const embeddedDirectory = (settings: Settings): string => join(settings.DATA_DIR, 'postgres');

/**
 * Gives `work` the address of the database that the settings name: the server of DATABASE_URL, or the embedded one in
 * DATA_DIR, as `npm start` has it running or else started for as long as the work takes.
 */
export async function withDatabase<T>(settings: Settings, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL !== undefined) return work(settings.DATABASE_URL);
  const server = await startEmbeddedPostgres({ dataDirectory: embeddedDirectory(settings), durable: true });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}
