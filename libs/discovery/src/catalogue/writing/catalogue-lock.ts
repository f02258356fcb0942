import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '#database/transaction';

// The same key in every process that writes the catalogue.
const LOCK = 'select pg_advisory_xact_lock(8145)';

/**
 * Runs `work` in a transaction that is the only writer of the catalogue. The venues, performers and taxonomies that it reads do not
 * change before it commits.
 */
export function withCatalogueLock<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await lockCatalogue(client);
    return work(client);
  });
}

/** The same for a transaction that has begun. */
export async function lockCatalogue(client: ClientBase): Promise<void> {
  await client.query(LOCK);
}
