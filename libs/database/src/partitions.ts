import type { Pool } from 'pg';

/** Tables of which old partitions are dropped. */
export type ExpiringTable = 'ping_attempts' | 'webhook_attempts' | 'recorded_requests';

/**
 * Makes the partitions of this month or week and of the next two, and room for five million events. Returns the names of the new ones, and
 * fewer than are missing if the tables are busy: the next call goes on.
 */
export async function makePartitions(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ made: string[] }>('select make_partitions() as made');
  return rows[0]?.made ?? [];
}

/**
 * Drops the partitions with nothing after `before`, and keeps what the report on drift needs. A partition leaves its table first, in a
 * moment, so that nobody waits while its rows are looked through. A run that is interrupted is finished by the next.
 */
export async function dropPartitions(pool: Pool, table: ExpiringTable, before: Date): Promise<void> {
  await pool.query('select detach_partitions($1, $2)', [table, before]);
  await pool.query('select drop_detached($1, $2)', [table, before]);
}
