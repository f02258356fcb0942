import type { Pool } from 'pg';

/** Runs a statement that takes locks, in a transaction that lasts until what comes back is called. */
export async function holding(pool: Pool, statement: string): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(statement);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** How many statements of that application stand still for a lock. */
export async function waiting(pool: Pool, application: string): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
    [application],
  );
  return rows[0]?.waiting ?? 0;
}
