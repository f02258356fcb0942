import type { Pool } from 'pg';

/**
 * Analyses tables that have doubled since their last analysis, and returns their names. PostgreSQL keeps the plan of a prepared statement
 * until then, and autovacuum may be a minute late: with a plan for a tiny table a worker delivered 460 pings a second instead of 2,100.
 * Returns an empty list if another process is doing this.
 */
export async function analyzeGrownTables(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ analyzed: string[] }>('select analyze_grown_tables() as analyzed');
  return rows[0]?.analyzed ?? [];
}
