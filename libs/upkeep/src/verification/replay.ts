import { freesPurchaseKey } from '#domain/order-effects';
import { orderFold } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import { wholeAppend } from '#event-store/stream-definition';
import type { StoredStream } from '#event-store/stream-scan';
import { needsKey } from '#orders/personal-data-keys.projection';
import { type PurchaseKeyRow, purchaseKeyRows } from '#orders/purchase-keys.projection';
import { duePingsProjection } from '#outbound/due-pings.projection';
import { disputesProjection } from '#orders/disputes.projection';
import { LEDGER_COLUMNS, ledgerRows } from '#orders/ledger-entries.projection';
import { IS_EVENT_BORN, MONEY_TASK_COLUMNS, moneyTaskRows } from '#orders/money-tasks.projection';
import { ordersProjection } from '#orders/orders.projection';
import { statusHistoryProjection } from '#orders/status-history.projection';

export type Row = Readonly<Record<string, unknown>>;

/** Its rows derive from streams. */
export type WrittenTable = Readonly<{
  name: 'orders' | 'status_history' | 'pings' | 'personal_data_keys' | 'ledger_entries' | 'disputes' | 'money_tasks';
  /** The column that says of which order, or stream, a row is. */
  key: 'id' | 'order_id' | 'stream';
  /** If there can be several rows of it: a number, or a text that names the row by itself. */
  sequence?: 'sequence' | 'position' | 'id' | 'subject';
  /** The columns that a replay can compute, with their types. */
  columns: InlineProjection['columns'];
  /** SQL: which rows derive from streams, if not all do. */
  derived?: string;
  /** `column` is what a person has made it where `by` is set. */
  overruled?: Readonly<{ column: string; by: string }>;
}>;

export const WRITTEN_TABLES: readonly WrittenTable[] = [
  { name: 'orders', key: 'id', columns: ordersProjection.columns },
  { name: 'status_history', key: 'order_id', sequence: 'sequence', columns: statusHistoryProjection.columns },
  { name: 'pings', key: 'order_id', sequence: 'sequence', columns: duePingsProjection.columns },
  { name: 'personal_data_keys', key: 'order_id', columns: { order_id: 'text' } },
  { name: 'ledger_entries', key: 'stream', sequence: 'position', columns: LEDGER_COLUMNS },
  { name: 'disputes', key: 'order_id', sequence: 'id', columns: disputesProjection.columns },
  {
    name: 'money_tasks',
    key: 'order_id',
    sequence: 'subject',
    columns: MONEY_TASK_COLUMNS,
    derived: IS_EVENT_BORN,
    overruled: { column: 'done_at', by: 'done_by' },
  },
];

export type Replay = Readonly<{
  stream: string;
  /** The stream itself if it is of no order. */
  orderId: string;
  rows: Readonly<Record<WrittenTable['name'], readonly Row[]>>;
  /** `isFree`: another purchase may use the key now. */
  purchaseKey?: PurchaseKeyRow & { isFree: boolean };
}>;

const NO_ROWS = { orders: [], status_history: [], pings: [], personal_data_keys: [], disputes: [], money_tasks: [] };

/**
 * Maps the folded stream to rows, as an append does. @throws Error when the events make no order, or are of an unknown type
 */
export function replay(events: StoredStream): Replay {
  const [{ stream }] = events;
  const orderId = orderIdOf(stream);
  const ledger = { ledger_entries: ledgerRows(events) };
  if (orderId === undefined) return { stream, orderId: stream, rows: { ...NO_ROWS, ...ledger } };
  const commit = wholeAppend(orderFold, events);
  const { after: order } = commit;
  if (!order.known) throw new Error('A stream with events is an order.');
  const rows = {
    orders: ordersProjection.rows(commit) as readonly Row[],
    status_history: statusHistoryProjection.rows(commit) as readonly Row[],
    pings: duePingsProjection.rows(commit) as readonly Row[],
    // No event has the key itself, but the events show that one must exist.
    personal_data_keys: needsKey(order) ? [{ order_id: orderId }] : [],
    disputes: disputesProjection.rows(commit) as readonly Row[],
    money_tasks: moneyTaskRows(commit),
    ...ledger,
  };
  const [key] = purchaseKeyRows(commit.stream, order);
  return { stream, orderId, rows, ...(key && { purchaseKey: { ...key, isFree: freesPurchaseKey(order) } }) };
}
