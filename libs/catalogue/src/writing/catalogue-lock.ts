import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '#database/transaction';

// The same in every process that writes the catalogue.
const LOCK = 'select pg_advisory_xact_lock(8145)';

/**
 * Does `work` in a transaction in which nobody else writes the catalogue: what it reads of venues, performers and taxonomies
 * stays true until what is made of it is committed.
 */
export function withCatalogueLock<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query(LOCK);
    return work(client);
  });
}
