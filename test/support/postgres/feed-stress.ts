import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readFeed, type FeedEvent } from '#event-store/feed-reader';
import { appendRaw } from './append.js';
import { until } from '../until.js';

const STREAMS = 40;

/** How far the feed advances before a very late commit. */
const VERY_LATE_BY = 300;

/**
 * Appends to streams that it shares with other writers: one to three events per transaction. One transaction in ten is rolled back,
 * one in ten commits late, and one in a hundred commits when the feed is far past it. Appends to the same stream conflict. A very late
 * transaction has its own stream, because otherwise all writers could wait for it while it waits for them. Each event also goes to the
 * table `control`, for the naive reader.
 */
export async function stressWriter(pool: pg.Pool, going: () => boolean): Promise<void> {
  const client = await pool.connect();
  while (going()) {
    const random = Math.random();
    const isVeryLate = random < 0.01;
    const stream = isVeryLate ? `late-${random}` : `stream-${Math.floor(Math.random() * STREAMS)}`;
    const { rows } = await client.query<{ version: number }>(VERSION, [stream]);
    const version = rows[0]?.version ?? 0;
    const count = 1 + Math.floor(Math.random() * 3);
    try {
      await client.query('begin');
      await appendRaw(client, stream, version, count);
      await client.query(CONTROL, [stream, version, count]);
      if (isVeryLate) await untilFeedIsAhead(pool, going);
      else if (random < 0.1) await sleep(Math.random() * 40);
      await client.query(random > 0.9 ? 'rollback' : 'commit');
    } catch (error) {
      await client.query('rollback');
      if (!(error instanceof pg.DatabaseError) || error.code !== '23505') throw error;
    }
  }
  client.release();
}

async function untilFeedIsAhead(pool: pg.Pool, going: () => boolean): Promise<void> {
  const before = await countOf(pool, 'feed');
  await until(async () => !going() || (await countOf(pool, 'feed')) >= before + VERY_LATE_BY);
}

/** How many rows a reader sees that pages by the last id of a sequence, as two well-known stores did. */
export async function naiveReader(pool: pg.Pool, going: () => boolean): Promise<number> {
  let [seen, last] = [0, 0];
  for (let readsLeft = 2; readsLeft > 0; readsLeft -= going() ? 0 : 1) {
    const { rows } = await pool.query<{ id: string }>('select id from control where id > $1 order by id', [last]);
    seen += rows.length;
    last = Number(rows.at(-1)?.id ?? last);
    await sleep(5);
  }
  return seen;
}

/** The feed as a follower sees it, until it has everything in the log, or until 5 s after the last append. */
export async function followFeed(pool: pg.Pool, going: () => boolean): Promise<readonly FeedEvent[]> {
  const seen: FeedEvent[] = [];
  let end = Infinity;
  while (Date.now() < end && (going() || seen.length < (await countOf(pool, 'events')))) {
    if (!going()) end = Math.min(end, Date.now() + 5_000);
    seen.push(...(await readFeed(pool, { after: seen.length, limit: 300 })).events);
    await sleep(5);
  }
  return seen;
}

export async function countOf(pool: pg.Pool, table: 'events' | 'control' | 'outbox' | 'feed'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? 0;
}

export const CONTROL_TABLE =
  'create table control (id bigint generated always as identity primary key, stream text, position int)';

const CONTROL = `insert into control (stream, position) select $1, n from generate_series($2::int + 1, $2::int + $3::int) as n`;

const VERSION = 'select coalesce(max(position), 0) as version from events where stream = $1';
