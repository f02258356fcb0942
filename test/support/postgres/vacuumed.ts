import type { Pool } from 'pg';

/**
 * Vacuums all tables, so that indexes alone can answer. PostgreSQL takes rows for visible to all only once their commit is written to the log,
 * and tests commit without waiting for that.
 */
export async function vacuumed(owner: Pool): Promise<void> {
  await owner.query('begin; set local synchronous_commit = on; select pg_current_xact_id(); commit');
  await owner.query('vacuum analyze');
}
