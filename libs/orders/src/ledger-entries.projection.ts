import { arrayText } from '#database/array-text';
import { moneyEntries, type MoneyEvent, moneyFold, type MoneyStream, isMoneyStream } from '#domain/money-events';
import { currencyOf, type LedgerEntry, NO_BOOKS } from '#domain/order-books';
import type { OrderEvent } from '#domain/order-events';
import { evolveAll, type Order, orderFold } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import type { InlineProjection } from '#event-store/inline-projection';
import { wholeAppend } from '#event-store/stream-definition';

/** What an event moves. Debit is positive, in cents of the currency; both arrays are as PostgreSQL writes them. */
export type LedgerRow = Readonly<{
  stream: string;
  position: number;
  currency: string;
  accounts: string;
  amounts: string;
  recorded_at: string;
}>;

/** The columns of table `ledger_entries`. */
export const LEDGER_COLUMNS = {
  stream: 'text',
  position: 'int',
  currency: 'text',
  accounts: 'text[]',
  amounts: 'bigint[]',
  recorded_at: 'timestamptz',
} as const;

const names = Object.keys(LEDGER_COLUMNS).join(', ');

const written = {
  name: 'ledger_entries',
  columns: LEDGER_COLUMNS,
  statement: (rows: string) => `insert into ledger_entries (${names}) select ${names} from ${rows} returning 1`,
};

/** Each event that moves money has one row, so a purchase pays for one row and not for five. */
export const ledgerEntriesProjection: InlineProjection<Order, OrderEvent> = {
  ...written,
  rows: ({ before, after, appended }) => {
    if (!after.known || after.books === (before.known ? before.books : NO_BOOKS)) return [];
    const rows: LedgerRow[] = [];
    evolveAll(before, appended, (order, event) => {
      const { entries } = order.books;
      if (entries.length > 0) rows.push(rowOf(event, currencyOf(order, event), entries));
    });
    return rows;
  },
};

/** The same for money that belongs to no order. */
export const moneyLedgerProjection: InlineProjection<MoneyStream, MoneyEvent> = {
  ...written,
  rows: ({ appended }) => appended.map((event) => rowOf(event, event.data.currency, moneyEntries(event))),
};

/** All rows of a stream, as a rebuild writes them. @throws Error on an event of an unknown type */
export function ledgerRows(events: readonly [RecordedEvent, ...RecordedEvent[]]): readonly LedgerRow[] {
  const [{ stream }] = events;
  if (orderIdOf(stream) !== undefined)
    return ledgerEntriesProjection.rows(wholeAppend(orderFold, events)) as LedgerRow[];
  if (!isMoneyStream(stream)) return [];
  return moneyLedgerProjection.rows(wholeAppend(moneyFold, events)) as LedgerRow[];
}

function rowOf(
  { stream, position, recorded_at }: Pick<RecordedEvent, 'stream' | 'position' | 'recorded_at'>,
  currency: string,
  entries: readonly LedgerEntry[],
): LedgerRow {
  const accounts = arrayText(entries.map(({ account }) => account));
  const amounts = arrayText(entries.map(({ amount_cents: cents }) => cents));
  return { stream, position, currency, accounts, amounts, recorded_at };
}
