import type { Pool } from 'pg';
import { migrations } from '#database/migrations';
import { createPool } from '#database/pool';
import { IS_READ_ONLY, READ_ONLY, UnusableDatabase } from '#database/unusable-database';
import { UserError } from '../terminal/user-error.js';

/** The migrations that have not run; undefined if the database was never migrated. */
export async function missingMigrations(pool: Pool): Promise<readonly string[] | undefined> {
  const { rows } = await pool.query<{ readable: boolean | null }>(
    `select has_table_privilege(to_regclass('public.migrations'), 'select') as readable`,
  );
  const { readable = null } = rows[0] ?? {};
  if (readable === null) return undefined;
  // Since 1767020000000 the application may read the table.
  if (!readable) return migrations.slice(-1).map(({ name }) => name);
  const ran = await pool.query<{ name: string }>('select name from migrations');
  return migrations.map(({ name }) => name).filter((name) => !ran.rows.some((row) => row.name === name));
}

/** For a start that may not migrate. @throws UserError, UnusableDatabase for a standby */
export async function rejectOldSchema(applicationUrl: string): Promise<void> {
  const onError = () => undefined;
  const options = { databaseUrl: applicationUrl, applicationName: 'willcall start', max: 1, onError };
  // Without the application's role, which an empty server does not have.
  const pool = createPool({ ...options, asOwner: true });
  try {
    const { rows } = await pool.query<{ read_only: boolean }>(IS_READ_ONLY);
    if (rows[0]?.read_only) throw new UnusableDatabase(READ_ONLY);
    const missing = await missingMigrations(pool);
    if (missing?.length === 0) return;
    throw new UserError(
      `${missing === undefined ? 'The database is empty' : 'The schema is not up to date'}, and api and worker may not migrate: ` +
        "set MIGRATION_DATABASE_URL to the address with the owner's login, or run `willcall migrate` with it.",
    );
  } finally {
    await pool.end();
  }
}
