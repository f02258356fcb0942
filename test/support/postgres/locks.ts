import type { Pool } from 'pg';

/** Runs a statement that takes locks, in a transaction. Call the returned function to roll it back. */
export async function holdLock(pool: Pool, statement: string): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(statement);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** How many statements of that application wait for a lock in this database. */
export async function countWaiting(pool: Pool, application: string): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
    [application],
  );
  return rows[0]?.waiting ?? 0;
}

type Backend = Readonly<{ pid: number; holds: boolean }>;

/** The sessions with this name after `willcall ` in their application name, and whether they hold an advisory lock. */
export async function sessionsOf(pool: Pool, name: string): Promise<readonly Backend[]> {
  const { rows } = await pool.query<Backend>(
    `select pid, exists (select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted) as holds
     from pg_stat_activity a where datname = current_database() and application_name = 'willcall ' || $1`,
    [name],
  );
  return rows;
}

/** Ends the session that holds an advisory lock, like a crash of its process. Returns false if there is none. */
export async function killLockHolder(pool: Pool, name: string): Promise<boolean> {
  const holder = (await sessionsOf(pool, name)).find((session) => session.holds);
  if (holder) await pool.query('select pg_terminate_backend($1)', [holder.pid]);
  return holder !== undefined;
}
