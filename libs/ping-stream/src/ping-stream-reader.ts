import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseEpoch } from '#database/epoch';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { PING_STREAM } from './ping-stream.projection.js';
import { conditionsOf, hasFilter, type StreamFilter, type StreamKeys } from './stream-filter.js';
import { WIRE, WIRE_ENTRY } from './wire-entry.js';

/** An entry as it goes over the wire, in JSON, with its place and what filters look at. */
export type StreamedPing = StreamKeys & Readonly<{ position: number; json: string }>;

export type StreamQuery = Readonly<{
  /** 0: from the first. */
  after: number;
  /** At most 5,000, so that a page is at most some megabytes. */
  limit: number;
  filter?: StreamFilter;
}>;

/** Where the stream ends: `last` is the position of its newest entry, 0 without any. */
export type StreamEnd = Readonly<{ epoch: string; last: number }>;

export type PageText = Readonly<{
  epoch: string;
  /** The entries as a JSON array. */
  pings: string;
  count: number;
  /** The position to read on after: never below `after`, also past entries that the filter left out. `after` itself at the end. */
  next: number;
}>;

export type EntryPage = Readonly<{ entries: readonly StreamedPing[]; next: number }>;

// How many positions one statement goes through: some 60 ms of Postgres where a filter finds nothing.
const SCANNED_AT_ONCE = 100_000;
// And one page: then the reader is told where to go on, rather than waited on by for a filter that matches nothing.
const SCANS_A_PAGE = 10;

/**
 * Reads table `ping_stream`. Whatever it gives stays as it is: positions only grow, and nothing is added before one that was
 * given. Use a pool for look-ups by key.
 */
@Injectable()
export class PingStreamReader {
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly epoch?: DatabaseEpoch,
  ) {}

  /**
   * The entries after a position, as text that Postgres has written: the cheapest way to the wire. Undefined when the position
   * is beyond the end: in this epoch nobody can have been given it.
   */
  async page(query: StreamQuery): Promise<PageText | undefined> {
    const before = this.epoch?.current;
    const { newest, ...page } = await this.filteredPage(query);
    const epoch = this.epoch?.current ?? '';
    // Read from a database that has been replaced meanwhile.
    if (before !== undefined && before !== epoch) return await this.page(query);
    if (query.after > newest && (await this.isBeyondEnd(query.after))) return undefined;
    return { ...page, epoch };
  }

  /** Where the stream ends now. */
  async end(): Promise<StreamEnd> {
    const { last } = await this.ends();
    return { epoch: this.epoch?.current ?? '', last };
  }

  /** Whether nobody can have been given this position. */
  async isBeyondEnd(position: number): Promise<boolean> {
    const { last, due } = await this.ends();
    return position > Math.max(last, due);
  }

  /** `due` is up to where entries are yet to come: after a crash the last ones are written a second time, just as they were. */
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
      const { last, newest, ...page } = await this.scan<PageRow>(FEED_PAGE, { ...query, after });
      const next = nextOf(query, { after, newest, last, isFull: page.count === query.limit });
      if (page.count > 0 || next >= newest || scan === SCANS_A_PAGE) return { ...page, next, newest };
      after = next;
    }
  }

  /** The same, entry by entry. Goes through 100,000 positions at most: it may be empty before the end is reached. */
  async entries(query: StreamQuery): Promise<EntryPage> {
    const { newest, entries } = await this.scan<EntriesRow>(ENTRIES, query);
    const { after, limit } = query;
    const isFull = entries.length === limit;
    return { entries, next: nextOf(query, { after, newest, last: entries.at(-1)?.position ?? 0, isFull }) };
  }

  /** The last entries that there are, oldest first. */
  async latest(limit: number): Promise<readonly StreamedPing[]> {
    const { rows } = await this.pool.query<EntriesRow>(LATEST, [limit]);
    return rows[0]?.entries ?? [];
  }

  private async scan<Row extends object>(statement: string, { after, limit, filter = {} }: StreamQuery): Promise<Row> {
    const values: unknown[] = [after, hasFilter(filter) ? after + SCANNED_AT_ONCE : Number.MAX_SAFE_INTEGER, limit];
    // Planned for these very values each time: a plan for any limit would be one for a tenth of the table.
    const { rows } = await this.pool.query<Row>(statement.replace('FILTER', conditionsOf(filter, values)), values);
    return rows[0]!;
  }
}

type Found = Readonly<{ after: number; newest: number; last: number; isFull: boolean }>;

function nextOf({ filter = {} }: StreamQuery, { after, newest, last, isFull }: Found): number {
  if (isFull) return last;
  const seen = hasFilter(filter) ? Math.min(newest, after + SCANNED_AT_ONCE) : newest;
  return Math.max(after, seen);
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

/**
 * $1 after, $2 the last position to look at, $3 limit; conditions stand for FILTER. One statement, one moment: an entry that is
 * not on the page and not behind `newest` comes after it.
 */
export const FEED_PAGE = `
  select '[' || coalesce(string_agg(row_to_json(found)::text, ',' order by position), '') || ']' as pings,
    count(*)::int as count, coalesce(max(position), 0) as last, ${NEWEST}
  from (select ${WIRE} ${FOUND}) as found`;

const ENTRY = `position, status, status_code, event_id, listing_id, client_id, ${WIRE_ENTRY} as json`;

const ALL_FOUND = `select coalesce(json_agg(found order by position), '[]') as entries`;

const ENTRIES = `${ALL_FOUND}, ${NEWEST} from (select ${ENTRY} ${FOUND}) as found`;

const LATEST = `${ALL_FOUND} from (select ${ENTRY} from ping_stream order by position desc limit $1) as found`;
