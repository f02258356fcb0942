import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { Pool } from 'pg';
import type { LedgerAccounts } from '../ledger.contract.js';

type Asked = Readonly<{ at?: string | undefined; position?: number | undefined }>;

// Each sums up a large part of the table. Purchases need the connections more.
const AT_ONCE = 2;
// Where the two ways take as long, with 400,000 rows of 1,000,000 events: reading the table costs about a third of looking up all events.
const FROM_HERE_ALL_BUT_LATER = 2 / 3;

/**
 * Balances are sums of entries, and nothing else is stored. A balance at a position is summed up from the shorter side: from the first event
 * on, or from all entries less those of later events, which are found by their places in the feed. No index over accounts is kept, because each
 * purchase would pay for it: without one the sums of 1,000,000 orders take some seconds.
 */
@Injectable()
export class LedgerBalances {
  private readonly limit = pLimit(AT_ONCE);

  constructor(private readonly pool: Pool) {}

  async read(asked: Asked): Promise<LedgerAccounts> {
    return await this.limit(async () => {
      const { position, end } = await this.place(asked);
      const sum = position > end * FROM_HERE_ALL_BUT_LATER ? ALL_BUT_LATER : FROM_THE_START;
      const { rows } = await this.pool.query<BalanceRow>(sum, [position]);
      const accounts = rows.map(({ cents, ...row }) => ({ ...row, balance: Number(cents) / 100 }));
      return { accounts, position, at: asked.at ?? (await this.timeOf(position)) };
    });
  }

  /** What counts at an instant ends before the first event that was recorded later. */
  private async place({ at, position }: Asked): Promise<{ position: number; end: number }> {
    const { rows } = await this.pool.query<{ end: string }>('select coalesce(max(position), 0) as end from feed');
    const end = Number(rows[0]?.end);
    if (at === undefined) return { position: Math.min(position ?? end, end), end };
    const { rows: later } = await this.pool.query<{ first: string | null }>(FIRST_AFTER, [at]);
    const first = later[0]?.first ?? null;
    return { position: Math.min(first === null ? end : Number(first) - 1, end), end };
  }

  private async timeOf(position: number): Promise<string | null> {
    const { rows } = await this.pool.query<{ recorded_at: Date }>(TIME_OF, [position]);
    return rows[0]?.recorded_at.toISOString() ?? null;
  }
}

type BalanceRow = { account: string; currency: string; cents: string };

const FIRST_AFTER = `
  select min(f.position) as first from ledger_entries l
  join feed f on f.stream = l.stream and f.stream_position = l.position
  where l.recorded_at > $1`;

const TIME_OF = `
  select e.recorded_at from feed f join events e on e.stream = f.stream and e.position = f.stream_position
  where f.position = $1`;

const inFeed = (where: string) => `
  select l.* from feed f join ledger_entries l on l.stream = f.stream and l.position = f.stream_position where ${where}`;

const NOT_IN_FEED = `
  select l.* from outbox o join ledger_entries l on l.stream = o.stream and l.position = o.stream_position
  where not exists (select from feed f where f.stream = o.stream and f.stream_position = o.stream_position)`;

const lines = (rows: string, sign: 1 | -1) => `
  select account, currency, ${sign} * amount as amount, ${sign} as entries
  from (${rows}) as l cross join lateral unnest(accounts, amounts) as line (account, amount)`;

/** An account without entries does not exist, so it is not there with 0. */
const summed = (rows: string) => `
  select account, currency, sum(amount)::text as cents from (${rows}) as entry
  group by account, currency having sum(entries) > 0 order by account, currency`;

const FROM_THE_START = summed(lines(inFeed('f.position <= $1'), 1));

// One statement sees an event that enters the feed meanwhile in one of the two.
const ALL_BUT_LATER = summed(`
  ${lines('select * from ledger_entries', 1)}
  union all ${lines(inFeed('f.position > $1'), -1)}
  union all ${lines(NOT_IN_FEED, -1)}`);
