import type { ClientBase, Pool } from 'pg';

/** For progress reports. Adds the last feed position and the outbox, because counting the log would take as long as reading it. */
export async function logSize(pool: Pool | ClientBase): Promise<number> {
  const { rows } = await pool.query<{ last: string }>(
    'select coalesce((select max(position) from feed), 0) + (select count(*) from outbox) as last',
  );
  return Number(rows[0]?.last);
}
