import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { GENESIS } from './hash-chain.js';

/** An event's place in the feed. */
export type FeedEntry = Readonly<{
  position: number;
  stream: string;
  stream_position: number;
  /** Of the event, and its time. Null if the log does not have the event. */
  hash: Buffer | null;
  recorded_at: Date | null;
}>;

/** The digest of the feed up to a position. It covers each event's hash and place, so it shows what was removed, added or moved. */
export type FeedHead = Readonly<{ position: number; head: Buffer }>;

export const EMPTY_FEED: FeedHead = { position: 0, head: GENESIS };

const NOTHING = Buffer.alloc(0);

export function headAfter({ head }: FeedHead, entry: FeedEntry): FeedHead {
  const { position, stream, stream_position } = entry;
  const place = Buffer.from(`${position}\n${stream}\n${stream_position}\n`);
  return { position, head: hash('sha256', Buffer.concat([head, place, entry.hash ?? NOTHING]), 'buffer') };
}

export async function readFeedEntries(
  client: ClientBase,
  { after, limit }: Readonly<{ after: number; limit: number }>,
): Promise<readonly FeedEntry[]> {
  // Not a prepared statement: PostgreSQL's generic plan for an unknown limit would sort the whole log.
  const { rows } = await client.query<Omit<FeedEntry, 'position'> & { position: string }>(READ_ENTRIES, [after, limit]);
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

/** Any other plan would read the whole log for each page, whatever the statistics say. */
export const ENTRIES_BY_KEY =
  'set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off';

const READ_ENTRIES = `
  select f.position, f.stream, f.stream_position, e.hash, e.recorded_at
  from feed f left join events e on e.stream = f.stream and e.position = f.stream_position
  where f.position > $1 order by f.position limit $2`;
