import type { ClientBase, Pool } from 'pg';

/**
 * About how many events the log has, for showing how far something is. It is the last position of the feed, which takes an
 * instant to read; events of the last moment may be missing from it.
 */
export async function logSize(pool: Pool | ClientBase): Promise<number> {
  const { rows } = await pool.query<{ last: string }>('select coalesce(max(position), 0) as last from feed');
  return Number(rows[0]?.last);
}
