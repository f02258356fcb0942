import type { Pool } from 'pg';
import { SystemRandomness } from '#base/randomness';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import type { Sealer } from '#base/sealing';
import { adoptKey, sealerOf } from './encryption-key.js';
import { withCredentials } from './supervisor/credentials.js';
import { UserError } from './terminal/user-error.js';
import { withDatabase } from './database/with-database.js';
import { withPool } from './database/with-pool.js';

/** The database of the settings, and the key to its secrets. */
export type SealedDatabase = Readonly<{ pool: Pool; sealer: Sealer; settings: Settings; databaseUrl: string }>;

/** The service could not open a secret that was sealed with a newly generated key. */
class NoGeneratedKey extends SystemRandomness {
  override bytes(): never {
    throw new UserError('ENCRYPTION_KEY must be set as it is for the service, or let `npm start` make one first.');
  }
}

/** Runs `work` with the database and its key; `purpose` names the connection. */
export async function withSealer<T>(purpose: string, work: (database: SealedDatabase) => Promise<T>): Promise<T> {
  const settings = withCredentials(loadSettings(), false, new NoGeneratedKey());
  const sealer = sealerOf(settings);
  return withDatabase(settings, (databaseUrl) =>
    withPool(databaseUrl, purpose, async (pool) => {
      await adoptKey(pool, sealer);
      return await work({ pool, sealer, settings, databaseUrl });
    }),
  );
}
