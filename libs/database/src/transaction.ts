import type { Pool, PoolClient } from 'pg';
import { markUndone } from './database-faults.js';

/**
 * Does `work` on one connection in one transaction, which is committed when it returns and taken back when it throws.
 *
 * @example
 * await inTransaction(pool, async (client) => {
 *   await client.query('lock table …');
 *   await client.query('insert …');
 * });
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let isCommitting = false;
  try {
    await client.query('begin');
    const result = await work(client);
    isCommitting = true;
    // Postgres answers a commit with a rollback when `work` swallowed an error of one of its statements.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed unnoticed: nothing was written.');
    return result;
  } catch (fault) {
    // Even if the connection broke: what was not committed is rolled back.
    if (!isCommitting) markUndone(fault);
    // A connection on which that fails is of no use any more; its transaction ends with it.
    await client.query('rollback').catch((error: Error) => (broken = error));
    throw fault;
  } finally {
    client.release(broken);
  }
}
