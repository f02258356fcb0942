import type { ClientBase } from 'pg';
import type { IdRange } from './awaited-ids.js';

export type MovedRow = Readonly<{ id: number; recorded_at: Date }>;

/** The most rows that one statement moves. */
export const FEED_BATCH = 500;

/**
 * Moves the first rows of the outbox whose ids lie in the ranges into the feed, lowest id first, in one statement and hence
 * one snapshot: an event is appended only after the one before it in its stream was committed, so it has the higher id, and
 * whoever sees it sees the other too. Two movers at once would draw the same positions, and the second one's fails.
 */
export async function moveToFeed(client: ClientBase, ranges: readonly IdRange[]): Promise<readonly MovedRow[]> {
  const values = [ranges.map((range) => range.low), ranges.map((range) => range.high)];
  const { rows } = await client.query<{ id: string; recorded_at: Date }>({ name: 'move-to-feed', text: MOVE, values });
  return rows.map((row) => ({ id: Number(row.id), recorded_at: row.recorded_at }));
}

/** The due rows, found by nothing but index probes at the ranges: $1 their low ends, $2 their high ends. */
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
 * For the session that moves. The outbox looks empty to the planner and is full of dead rows: it must never be read but by
 * its index. And what a reader has seen at a position must outlive a crash, or it comes back at another position.
 */
export const MOVER_SETTINGS = `
  set synchronous_commit = on; set jit = off;
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off`;
