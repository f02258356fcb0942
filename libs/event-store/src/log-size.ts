import type { ClientBase, Pool } from 'pg';

/**
 * How many events the log has, for showing how far something is. Counted by the feed and what waits for it, which takes an
 * instant: to count the log takes as long as to read it.
 */
export async function logSize(pool: Pool | ClientBase): Promise<number> {
  const { rows } = await pool.query<{ last: string }>(
    'select coalesce((select max(position) from feed), 0) + (select count(*) from outbox) as last',
  );
  return Number(rows[0]?.last);
}
