import type { Pool } from 'pg';

/**
 * The named statements that PostgreSQL plans again for each execution, in the pool's only connection. Fails if there is no named
 * statement at all.
 */
export async function replannedStatements(pool: Pool): Promise<string[]> {
  if (pool.options.max !== 1) throw new Error('The pool must have one connection only.');
  const { rows } = await pool.query<{ name: string; custom_plans: number }>(
    'select name, custom_plans from pg_prepared_statements order by name',
  );
  if (rows.length === 0) throw new Error('The connection has no named statements.');
  return rows.filter((row) => row.custom_plans > 0).map(({ name }) => name);
}
