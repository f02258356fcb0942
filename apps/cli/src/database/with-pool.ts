import type { Pool } from 'pg';
import { loadSettings } from '#config/settings';
import { createPool, type PoolOptions } from '#database/pool';
import { withDatabase } from './with-database.js';

/** Runs `work` with a pool for the database of the settings. */
export type UsePool = <T>(work: (pool: Pool) => Promise<T>) => Promise<T>;

/** For work on the whole database, without a statement time-out. */
export function poolFor(purpose: string, options: Pick<PoolOptions, 'asOwner'> = {}): UsePool {
  return (work) =>
    withDatabase(loadSettings(), async (databaseUrl) => {
      const applicationName = `willcall ${purpose}`;
      const onError = () => undefined;
      const pool = createPool({ databaseUrl, max: 3, applicationName, onError, statementTimeoutMs: 0, ...options });
      try {
        return await work(pool);
      } finally {
        await pool.end();
      }
    });
}
