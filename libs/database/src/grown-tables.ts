import type { Pool } from 'pg';

/**
 * Analyses tables that have doubled since their last analysis, and returns their names. PostgreSQL keeps the plan of a prepared
 * statement until its tables are analysed, which autovacuum may do a minute late. Until then a plan made for a tiny table reads
 * the whole table instead of its index: a worker delivered 460 pings a second instead of 2,100 from a backlog of 20,000.
 * If another process is already doing this, it returns an empty list.
 */
export async function analyzeGrownTables(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ analyzed: string[] }>('select analyze_grown_tables() as analyzed');
  return rows[0]?.analyzed ?? [];
}
