import type { ClientBase, Pool } from 'pg';

/**
 * How many rows of these tables PostgreSQL reads during the work. This reveals a plan that reads a whole table. The pool must have
 * only one connection, so that the work is in the transaction whose reads are counted.
 */
export async function rowsRead(pool: Pool, tables: readonly string[], work: () => Promise<unknown>): Promise<number> {
  if (pool.options.max !== 1) throw new Error('The pool must have one connection only.');
  await pool.query('begin');
  const before = await readByConnection(pool, tables);
  await work();
  const after = await readByConnection(pool, tables);
  await pool.query('commit');
  return after - before;
}

/**
 * Rows of these tables, partitions included. Also what earlier transactions read, until PostgreSQL has passed it on to its statistics, which
 * it does once a second.
 */
export async function readByConnection(connection: Pool | ClientBase, tables: readonly string[]): Promise<number> {
  const { rows } = await connection.query<{ read: number | null }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables left join pg_inherits on inhrelid = relid
     where coalesce(inhparent, relid)::regclass::text = any($1)`,
    [tables],
  );
  return rows[0]?.read ?? 0;
}
