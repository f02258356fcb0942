import type { ClientBase, Pool } from 'pg';

/**
 * Returns the number of events, for progress reports. It adds the last feed position and the outbox, because counting the log
 * itself would take as long as reading it.
 */
export async function logSize(pool: Pool | ClientBase): Promise<number> {
  const { rows } = await pool.query<{ last: string }>(
    'select coalesce((select max(position) from feed), 0) + (select count(*) from outbox) as last',
  );
  return Number(rows[0]?.last);
}
