import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseEpoch } from '#database/epoch';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { ReplicaPool } from '#database/replica-pool';
import type { StreamEnd } from '../ping-stream.contract.js';
import { PING_STREAM } from '../ping-stream.projection.js';
import { conditionsOf, hasFilter, type StreamFilter, type StreamKeys } from './stream-filter.js';
import { WIRE, WIRE_ENTRY } from './wire-entry.js';

export type StreamedPing = StreamKeys & Readonly<{ position: number; json: string }>;

export type StreamQuery = Readonly<{
  /** 0 means from the start. */
  after: number;
  /** At most 5,000, so that a page has at most a few megabytes. */
  limit: number;
  filter?: StreamFilter;
}>;

export type PageText = Readonly<{
  epoch: string;
  pings: string;
  count: number;
  /** Pass this as the next `after`. It also skips entries that the filter left out. At the end it equals `after`. */
  next: number;
}>;

export type EntryPage = Readonly<{ entries: readonly StreamedPing[]; next: number }>;

// Takes PostgreSQL about 60 ms if the filter matches nothing.
const POSITIONS_PER_SCAN = 100_000;
// The statements per page. After that the reader gets an empty page with its next position instead of a long wait.
const SCANS_PER_PAGE = 10;

/** Entries never change, and none is inserted before one that was read. Use a pool for lookups by key (`byIndex`). */
@Injectable()
export class PingStreamReader {
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly epoch?: DatabaseEpoch,
    private readonly replica: ReplicaPool = new ReplicaPool(pool),
  ) {}

  /** PostgreSQL builds the JSON, which is the cheapest way. Undefined if the position is beyond the end, so it is not of this epoch. */
  async page(query: StreamQuery): Promise<PageText | undefined> {
    const before = this.epoch?.current;
    const { newest, ...page } = await this.filteredPage(query);
    const epoch = this.epoch?.current ?? '';
    // The database was replaced during the query.
    if (before !== undefined && before !== epoch) return await this.page(query);
    if (query.after > newest && (await this.isBeyondEnd(query.after))) return undefined;
    return { ...page, epoch };
  }

  async end(): Promise<StreamEnd> {
    const { last } = await this.ends();
    return { epoch: this.epoch?.current ?? '', last };
  }

  /** Considers both the stream and its pending part of the feed. */
  async isBeyondEnd(position: number): Promise<boolean> {
    const { last, due } = await this.ends();
    return position > Math.max(last, due);
  }

  /** `due` is the end of the feed if the stream is behind it. After a crash the last entries are written again, unchanged. */
  private async ends(): Promise<{ last: number; due: number }> {
    const { rows } = await this.pool.query<{ last: number; due: number }>({
      name: 'ping-stream-ends',
      text: ENDS,
      values: [PING_STREAM],
    });
    return rows[0] ?? { last: 0, due: 0 };
  }

  private async filteredPage(query: StreamQuery): Promise<Omit<PageText, 'epoch'> & { newest: number }> {
    let after = query.after;
    for (let scan = 1; ; scan += 1) {
      const { last, newest, ...page } = await this.scan<PageRow>(FEED_PAGE, { ...query, after }, this.replica);
      const next = nextOf(query, { after, newest, last, isFull: page.count === query.limit });
      if (page.count > 0 || next >= newest || scan === SCANS_PER_PAGE) return { ...page, next, newest };
      after = next;
    }
  }

  /** Like `page`, but returns single entries. It scans at most 100,000 positions, so a page may be empty before the end. */
  async entries(query: StreamQuery): Promise<EntryPage> {
    const { newest, entries } = await this.scan<EntriesRow>(ENTRIES, query);
    const { after, limit } = query;
    const isFull = entries.length === limit;
    return { entries, next: nextOf(query, { after, newest, last: entries.at(-1)?.position ?? 0, isFull }) };
  }

  async latest(limit: number): Promise<readonly StreamedPing[]> {
    const { rows } = await this.pool.query<EntriesRow>(LATEST, [limit]);
    return rows[0]?.entries ?? [];
  }

  private async scan<Row extends object>(
    statement: string,
    { after, limit, filter = {} }: StreamQuery,
    pool: Pick<Pool, 'query'> = this.pool,
  ): Promise<Row> {
    const values: unknown[] = [after, hasFilter(filter) ? after + POSITIONS_PER_SCAN : Number.MAX_SAFE_INTEGER, limit];
    // Not a prepared statement: a generic plan would assume that the limit is a tenth of the table.
    const { rows } = await pool.query<Row>(statement.replace('FILTER', conditionsOf(filter, values)), values);
    return rows[0]!;
  }
}

type ScannedRange = Readonly<{ after: number; newest: number; last: number; isFull: boolean }>;

function nextOf({ filter = {} }: StreamQuery, { after, newest, last, isFull }: ScannedRange): number {
  if (isFull) return last;
  const scannedTo = hasFilter(filter) ? Math.min(newest, after + POSITIONS_PER_SCAN) : newest;
  return Math.max(after, scannedTo);
}

type PageRow = Omit<PageText, 'next' | 'epoch'> & { last: number; newest: number };
type EntriesRow = { entries: StreamedPing[]; newest: number };

const NEWEST = '(select coalesce(max(position), 0) from ping_stream) as newest';

const ENDS = `
  select coalesce(max(position), 0) as last, coalesce((
    select end_of_feed from (select max(position) as end_of_feed from feed) as feed
    where end_of_feed > coalesce((select position from subscriptions where name = $1), 0)), 0) as due
  from ping_stream`;

const FOUND = 'from ping_stream where position > $1 and position <= $2FILTER order by position limit $3';

/** $1 after, $2 the last position to scan, $3 limit; FILTER is replaced by conditions. All parts see the same snapshot. */
export const FEED_PAGE = `
  select '[' || coalesce(string_agg(row_to_json(found)::text, ',' order by position), '') || ']' as pings,
    count(*)::int as count, coalesce(max(position), 0) as last, ${NEWEST}
  from (select ${WIRE} ${FOUND}) as found`;

const ENTRY = `position, status, status_code, event_id, listing_id, client_id, ${WIRE_ENTRY} as json`;

const ALL_FOUND = `select coalesce(json_agg(found order by position), '[]') as entries`;

const ENTRIES = `${ALL_FOUND}, ${NEWEST} from (select ${ENTRY} ${FOUND}) as found`;

const LATEST = `${ALL_FOUND} from (select ${ENTRY} from ping_stream order by position desc limit $1) as found`;
