import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { orderIdOf, orderStream } from '#domain/order-stream';
import type { LedgerEntries } from '../ledger.contract.js';

type Entry = LedgerEntries['entries'][number];

/** The place of an entry: the position of its event, and its number among the event's entries from 0. */
export type EntryPlace = Readonly<{ position: number; number: number }>;
export type PlacedEntry = Readonly<{ entry: Entry; place: EntryPlace }>;

type Filter = Readonly<{
  account?: string | undefined;
  order_id?: string | undefined;
  /** ISO 8601: inclusive, and exclusive. */
  from?: string | undefined;
  to?: string | undefined;
}>;

/** Reads entries, newest first. An event has its place once it is in the feed. */
@Injectable()
export class LedgerList {
  constructor(private readonly pool: Pool) {}

  async read(
    filter: Filter,
    { limit, after }: { limit: number; after: EntryPlace | undefined },
  ): Promise<PlacedEntry[]> {
    const rows = await this.events(filter, limit, after);
    const entries = rows.flatMap((row) => entriesOf(row));
    const wanted = entries.filter(({ entry: { account }, place }) => {
      return (filter.account === undefined || account === filter.account) && isAfter(place, after);
    });
    return wanted.slice(0, limit);
  }

  private async events(filter: Filter, limit: number, after: EntryPlace | undefined): Promise<readonly EventRow[]> {
    const page = new PageStatement(filter, limit, after);
    if (filter.order_id === undefined) {
      const { rows } = await this.pool.query<EventRow>(page.near);
      if (rows.length > limit || rows[0]?.is_all) return rows;
    }
    return (await this.pool.query<EventRow>(page.whole)).rows;
  }
}

function isAfter({ position, number }: EntryPlace, after: EntryPlace | undefined): boolean {
  return after === undefined || position < after.position || number > after.number;
}

type EventRow = {
  global_position: string;
  stream: string;
  type: string;
  currency: string;
  accounts: readonly string[];
  amounts: readonly string[];
  recorded_at: Date;
  /** There is nothing further back. */
  is_all: boolean;
};

function entriesOf({ global_position, stream, type: event, currency, accounts, amounts, recorded_at }: EventRow) {
  const position = Number(global_position);
  const order_id = orderIdOf(stream) ?? null;
  const at = recorded_at.toISOString();
  return accounts.map((account, number): PlacedEntry => {
    const amount = Number(amounts[number]) / 100;
    return { entry: { position, order_id, event, account, currency, amount, at }, place: { position, number } };
  });
}

// Most pages are found here: those without a filter, and of an account that many orders have.
const NEAR_POSITIONS = 20_000;

/** A statement for a page of events. Each of them has at least one entry that is wanted, but the first may have been on the page before. */
class PageStatement {
  readonly #values: unknown[] = [];
  readonly #conditions: readonly string[];
  readonly #from: string;
  readonly #limit: string;

  constructor({ account, order_id: orderId, from, to }: Filter, limit: number, after: EntryPlace | undefined) {
    const given = (value: unknown) => `$${this.#values.push(value)}`;
    this.#limit = given(limit + 1);
    this.#from = after ? `${given(after.position)}::bigint` : '(select coalesce(max(position), 0) from feed)';
    this.#conditions = [
      ...(orderId === undefined ? [] : [`l.stream = ${given(orderStream(orderId))}`]),
      ...(account === undefined ? [] : [`l.accounts @> array[${given(account)}::text]`]),
      ...(from === undefined ? [] : [`l.recorded_at >= ${given(from)}`]),
      ...(to === undefined ? [] : [`l.recorded_at < ${given(to)}`]),
    ];
  }

  /** Walks back through the feed, not far. `offset 0` keeps the lookups. */
  get near() {
    const rows = `
      select f.position as global_position, l.* from feed f cross join lateral (
        select * from ledger_entries l where l.stream = f.stream and l.position = f.stream_position offset 0) as l
      where ${['f.position <= start', `f.position > start - ${NEAR_POSITIONS}`, ...this.#conditions].join(' and ')}`;
    return this.#page(rows);
  }

  /** Reads all rows of the filter, and looks up their places. */
  get whole() {
    const where = this.#conditions.length > 0 ? `where ${this.#conditions.join(' and ')}` : '';
    const rows = `
      select f.position as global_position, l.* from (select * from ledger_entries l ${where} offset 0) as l
      join feed f on f.stream = l.stream and f.stream_position = l.position where f.position <= start`;
    return this.#page(rows);
  }

  #page(rows: string) {
    const text = `
      select found.*, e.type, start <= ${NEAR_POSITIONS} as is_all from (select ${this.#from} as start) as place
      cross join lateral (${rows} order by f.position desc limit ${this.#limit}) as found
      join events e on e.stream = found.stream and e.position = found.position
      order by global_position desc`;
    return { text, values: this.#values };
  }
}
