import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import type { Pool } from 'pg';
import { SystemRandomness } from '#base/randomness';
import { ClientRegistry } from '#accounts/clients';
import { withSealer } from './with-sealer.js';

/** Runs `work` on the clients in the database of the settings. */
export async function withClients<T>(work: (clients: ClientRegistry, pool: Pool) => Promise<T>): Promise<T> {
  return withSealer('clients', ({ pool, sealer }) =>
    work(new ClientRegistry(pool, sealer, new SystemClock(), new TimeOrderedIds(), new SystemRandomness()), pool),
  );
}
