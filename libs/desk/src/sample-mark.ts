import type { Pool } from 'pg';

/** Remembers that the sample data is there. Sample data that was removed does not come back. */
export async function sampleLoaded(pool: Pool): Promise<void> {
  await pool.query('insert into sample_data default values on conflict do nothing');
}

/** Whether an administrator has removed the sample data, so that the next start must not load it again. */
export async function isSampleRemoved(pool: Pool): Promise<boolean> {
  return (await pool.query('select from sample_data where removed_at is not null')).rowCount !== 0;
}
