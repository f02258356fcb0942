import type { ClientBase, Pool } from 'pg';

// The same in every process that writes the catalogue.
const TAKE_TURN = 'select pg_advisory_xact_lock(8145)';

/**
 * Does `work` in a transaction in which nobody else writes the catalogue: what it reads of venues, performers and taxonomies
 * stays true until what is made of it is committed.
 */
export async function inTurn<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query(TAKE_TURN);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((fault: Error) => (broken = fault));
    throw error;
  } finally {
    client.release(broken);
  }
}
