import pg from 'pg';

/** How the event store writes: events and their outbox rows in one statement. For tests that need the transaction in their own hands. */
export async function appendRaw(db: pg.Pool | pg.ClientBase, stream: string, after: number, count = 1): Promise<void> {
  await db.query(APPEND, [stream, after, count, new Date()]);
}

const APPEND = `
  with written as (
    insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
    select $1::text, n, $1 || '#' || n, 'SomethingHappened', '{}', '{"transaction_id":"t","actor":"system:test"}', $4, ''
    from generate_series($2::int + 1, $2::int + $3::int) as n
    returning stream, position, recorded_at)
  insert into outbox (stream, stream_position, recorded_at)
  select stream, position, recorded_at from written order by position`;

export type Backend = Readonly<{ pid: number; holds: boolean }>;

/** The sessions of exclusive work, by the end of their application name, with whether they hold an advisory lock. */
export async function sessionsOf(db: pg.Pool, name: string): Promise<readonly Backend[]> {
  const { rows } = await db.query<Backend>(
    `select pid, exists (select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted) as holds
     from pg_stat_activity a where datname = current_database() and application_name = 'willcall ' || $1`,
    [name],
  );
  return rows;
}

/** Cuts the connection that holds the lock of this name, as a crash of its process would. False when nobody held it. */
export async function killHolder(db: pg.Pool, name: string): Promise<boolean> {
  const holder = (await sessionsOf(db, name)).find((session) => session.holds);
  if (holder) await db.query('select pg_terminate_backend($1)', [holder.pid]);
  return holder !== undefined;
}
