import type { ClientBase, Pool } from 'pg';
import type { EventArchive } from './event-archive.js';
import type { Metadata, RecordedEvent } from './event.js';

/** Positions start at 1 and have no gaps. */
export type FeedEvent = RecordedEvent & Readonly<{ global_position: number }>;

export type FeedPage = Readonly<{
  events: readonly FeedEvent[];
  /** Pass this as the next `after`: the position of the last event, or `after` itself if there was none. */
  next: number;
}>;

/**
 * Returns at most `limit` events after the position `after` (0 for the start). An event never changes its position, and none is inserted
 * before one that was read, so a reader only has to remember `next`.
 * @example const { events, next } = await readFeed(pool, { after: 0, limit: 500 });
 */
export async function readFeed(
  db: Pool | ClientBase,
  { after, limit }: Readonly<{ after: number; limit: number }>,
  archive?: EventArchive,
): Promise<FeedPage> {
  const { rows } = await db.query<FeedRow>({ name: 'read-feed', text: READ_FEED, values: [after, limit] });
  const whole = archive ? await archive.complete(db, rows) : rows;
  const events = whole.map(({ global_position, recorded_at, ...row }) => ({
    ...row,
    global_position: Number(global_position),
    recorded_at: recorded_at.toISOString(),
  }));
  const gap = events.findIndex((event, index) => event.global_position !== after + index + 1);
  if (gap >= 0) throw new Error(`The feed has no event at position ${after + gap + 1}.`);
  return { events, next: after + events.length };
}

type FeedRow = {
  global_position: string;
  stream: string;
  position: number;
  event_id: string;
  type: string;
  data: object;
  metadata: Metadata;
  recorded_at: Date;
};

// `offset 0` keeps the lookups. As a join, the plan for an unknown limit would sort the whole log.
const READ_FEED = `
  select f.position as global_position, e.* from feed f
  cross join lateral (
    select stream, position, event_id, type, data, metadata, recorded_at from events
    where stream = f.stream and position = f.stream_position offset 0) as e
  where f.position > $1 order by f.position limit $2`;
