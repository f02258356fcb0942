import type { Pool, PoolClient } from 'pg';
import { markNoEffect } from './database-errors.js';

/**
 * Commits when `work` returns and rolls back when it throws.
 * @example await inTransaction(pool, async (client) => await client.query('insert …'));
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let rollbackError: Error | undefined;
  let isCommitting = false;
  try {
    await client.query('begin');
    const result = await work(client);
    isCommitting = true;
    // PostgreSQL rolls back instead of committing if `work` swallowed the error of a statement.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed unnoticed. Nothing was written.');
    return result;
  } catch (error) {
    // Even if the connection broke: PostgreSQL rolls back what was not committed.
    if (!isCommitting) markNoEffect(error);
    await client.query('rollback').catch((failure: Error) => (rollbackError = failure));
    throw error;
  } finally {
    client.release(rollbackError);
  }
}
