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
    const { text, values } = statementOf(filter, limit, after);
    const { rows } = await this.pool.query<EventRow>(text, values);
    const entries = rows.flatMap((row) => entriesOf(row));
    const wanted = entries.filter(({ entry: { account }, place }) => {
      return (filter.account === undefined || account === filter.account) && isAfter(place, after);
    });
    return wanted.slice(0, limit);
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

// Each event has at least one entry that is wanted. Without a name, PostgreSQL plans for the values: it walks back through the feed for an account
// that most orders have, and reads the table for one that few have.
function statementOf({ account, order_id: orderId, from, to }: Filter, limit: number, after: EntryPlace | undefined) {
  const values: unknown[] = [];
  const given = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(after === undefined ? [] : [`f.position <= ${given(after.position)}`]),
    ...(orderId === undefined ? [] : [`l.stream = ${given(orderStream(orderId))}`]),
    ...(account === undefined ? [] : [`l.accounts @> array[${given(account)}::text]`]),
    ...(from === undefined ? [] : [`l.recorded_at >= ${given(from)}`]),
    ...(to === undefined ? [] : [`l.recorded_at < ${given(to)}`]),
  ];
  const text = `
    select found.*, e.type from (
      select f.position as global_position, l.* from feed f
      join ledger_entries l on l.stream = f.stream and l.position = f.stream_position
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      order by f.position desc limit ${given(limit + 1)}) as found
    join events e on e.stream = found.stream and e.position = found.position
    order by global_position desc`;
  return { text, values };
}
