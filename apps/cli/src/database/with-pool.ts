import type { Pool } from 'pg';
import { loadSettings } from '#config/load-settings';
import { createPool, type PoolOptions } from '#database/pool';
import { withDatabase } from './with-database.js';

/** Runs `work` with a pool for the database of the settings. */
export type UsePool = <T>(work: (pool: Pool) => Promise<T>) => Promise<T>;

/** For work on the whole database, without a statement time-out. With `asOwner` it uses the login of MIGRATION_DATABASE_URL. */
export function poolFor(purpose: string, options: Pick<PoolOptions, 'asOwner'> = {}): UsePool {
  const onError = () => undefined;
  const given = { max: 3, applicationName: `willcall ${purpose}`, onError, statementTimeoutMs: 0, ...options };
  return (work) =>
    withDatabase(
      loadSettings(),
      async (databaseUrl) => {
        const pool = createPool({ ...given, databaseUrl });
        try {
          return await work(pool);
        } finally {
          await pool.end();
        }
      },
      { as: options.asOwner ? 'owner' : 'application' },
    );
}
