import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { createPool, type PoolOptions } from '#database/pool';
import { withDatabase } from './with-database.js';

/** Runs `work` with a pool for the database of the settings. */
export type UsePool = <T>(work: (pool: Pool) => Promise<T>) => Promise<T>;

/** For work on the whole database. With `asOwner` it uses the login of MIGRATION_DATABASE_URL. */
export function poolFor(purpose: string, options: Pick<PoolOptions, 'asOwner'> = {}): UsePool {
  return (work) =>
    withDatabase(loadSettings(), (databaseUrl) => withPool(databaseUrl, purpose, work, options), {
      as: options.asOwner ? 'owner' : 'application',
    });
}

/**
 * Runs `work` with a pool of a command: its statements have no time limit. That of requests would end what only takes long on a slow
 * machine, and nobody waits for an answer.
 */
export async function withPool<T>(
  databaseUrl: string,
  purpose: string,
  work: (pool: Pool) => Promise<T>,
  options: Partial<PoolOptions> = {},
): Promise<T> {
  const given = { max: 3, applicationName: `willcall ${purpose}`, onError: () => undefined, statementTimeoutMs: 0 };
  const pool = createPool({ ...given, ...options, databaseUrl });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
