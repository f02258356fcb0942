import type { Pool } from 'pg';
import { SystemRandomness } from '#runtime/randomness';
import { loadSettings, type Settings } from '#config/settings';
import { createPool } from '#database/pool';
import type { Sealer } from '#crypto/sealing';
import { adoptKey, sealerOf } from './encryption-key.js';
import { withCredentials } from './supervisor/credentials.js';
import { UserError } from './user-error.js';
import { withDatabase } from './with-database.js';

/** The database that the settings name, and the key to its secrets. */
export type SealedDatabase = Readonly<{ pool: Pool; sealer: Sealer; settings: Settings }>;

/** A secret sealed with a key of our own making could not be opened by the service. */
class NothingMadeUp extends SystemRandomness {
  override bytes(): never {
    throw new UserError('ENCRYPTION_KEY must be set as it is for the service, or let `npm start` make one first.');
  }
}

/** Gives `work` the database with its key; `purpose` names its connection. */
export async function withSealer<T>(purpose: string, work: (database: SealedDatabase) => Promise<T>): Promise<T> {
  const settings = withCredentials(loadSettings(), false, new NothingMadeUp());
  const sealer = sealerOf(settings);
  return withDatabase(settings, async (databaseUrl) => {
    const onError = () => undefined;
    const pool = createPool({ databaseUrl, max: 1, applicationName: `willcall ${purpose}`, onError });
    try {
      await adoptKey(pool, sealer);
      return await work({ pool, sealer, settings });
    } finally {
      await pool.end();
    }
  });
}
