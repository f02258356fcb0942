import type { ClientBase } from 'pg';
import type { IdRange } from './awaited-ids.js';

export type MovedRow = Readonly<{ id: number; recorded_at: Date }>;

export const FEED_BATCH = 500;

/**
 * Moves the rows with the lowest ids in these ranges. One statement means one snapshot: an event has a higher id than its predecessor, and
 * a snapshot that contains it contains both. If two processes do this at once, they assign the same positions and the second one fails.
 */
export async function moveToFeed(client: ClientBase, ranges: readonly IdRange[]): Promise<readonly MovedRow[]> {
  const values = [ranges.map((range) => range.low), ranges.map((range) => range.high)];
  const { rows } = await client.query<{ id: string; recorded_at: Date }>({ name: 'move-to-feed', text: MOVE, values });
  return rows.map((row) => ({ id: Number(row.id), recorded_at: row.recorded_at }));
}

/** Uses the index only. $1 are the low ends of the ranges, $2 the high ends. */
export const DUE = `
  select due.id from unnest($1::bigint[], $2::bigint[]) as awaited (low, high)
  cross join lateral (
    select id from outbox where id between awaited.low and awaited.high order by id limit ${FEED_BATCH}) due
  order by due.id limit ${FEED_BATCH}`;

const MOVE = `
  with due as materialized (${DUE}),
  taken as (
    delete from outbox using due where outbox.id = due.id
    returning outbox.id, outbox.stream, outbox.stream_position, outbox.recorded_at),
  placed as (
    insert into feed (position, stream, stream_position)
    select (select coalesce(max(position), 0) from feed) + row_number() over (order by id), stream, stream_position
    from taken)
  select id, recorded_at from taken order by id`;

/**
 * The planner believes that the outbox is empty, but it is full of dead rows, so it must use the index. And a position that a reader has
 * seen must survive a crash.
 */
export const MOVER_SETTINGS = `
  set synchronous_commit = on; set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off`;
