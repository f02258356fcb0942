import { SystemClock } from '#ambient/clock';
import { TimeOrderedIds } from '#ambient/ids';
import { SystemRandomness } from '#ambient/randomness';
import { loadSettings } from '#config/settings';
import { createPool } from '#database/pool';
import { ClientRegistry } from '#platform-auth/clients';
import { Sealer } from '#platform-auth/sealing';
import { withCredentials } from './supervisor/credentials.js';
import { UserFault } from './user-fault.js';
import { withDatabase } from './with-database.js';

/** A secret sealed with a key of our own making could not be opened by the service. */
class NothingMadeUp extends SystemRandomness {
  override bytes(): never {
    throw new UserFault('ENCRYPTION_KEY must be set as it is for the service, or let `npm start` make one first.');
  }
}

/** Gives `work` the clients in the database that the settings name. */
export async function withClients<T>(work: (clients: ClientRegistry) => Promise<T>): Promise<T> {
  const settings = withCredentials(loadSettings(), false, new NothingMadeUp());
  const { ENCRYPTION_KEY: key } = settings;
  if (!key) throw new UserFault('ENCRYPTION_KEY must be set.');
  return withDatabase(settings, async (databaseUrl) => {
    const onError = () => undefined;
    const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall clients', onError });
    const randomness = new SystemRandomness();
    const sealer = new Sealer(key, randomness);
    try {
      return await work(new ClientRegistry(pool, sealer, new SystemClock(), new TimeOrderedIds(), randomness));
    } finally {
      await pool.end();
    }
  });
}
