import pg from 'pg';

/** Writes like the event store: events and outbox rows in one statement. For tests that control the transaction. */
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
