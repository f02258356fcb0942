import type { InlineWriter } from '#event-store/inline-writer';
import { idInStream } from '#event-store/stream-name';
import { rowsOfStream, type StoredStream } from '#event-store/stream-scan';
import { heldTickets } from '#inventory/stock.writer';
import { freedPurchaseKeysWriter, purchaseKeysWriter } from '#ordering/purchase-keys.writer';
import { duePingsWriter } from '#pings/due-pings.writer';
import type { OrderRow } from '#projections/order-row';
import { ordersWriter } from '#projections/orders.projection';
import { statusHistoryWriter } from '#projections/status-history.projection';

export type Row = Readonly<Record<string, unknown>>;

/** A table whose rows derive from the streams of orders. */
export type WrittenTable = Readonly<{
  name: 'orders' | 'status_history' | 'pings' | 'personal_data_keys';
  /** The column with the order's id. */
  order: string;
  /** The column that distinguishes the rows of one order, if it can have several. */
  sequence?: string;
  /** The columns that a replay can compute, with their types. */
  columns: InlineWriter['columns'];
}>;

export const WRITTEN_TABLES: readonly WrittenTable[] = [
  { name: 'orders', order: 'id', columns: ordersWriter.columns },
  { name: 'status_history', order: 'order_id', sequence: 'sequence', columns: statusHistoryWriter.columns },
  { name: 'pings', order: 'order_id', sequence: 'sequence', columns: duePingsWriter.columns },
  { name: 'personal_data_keys', order: 'order_id', columns: { order_id: 'text' } },
];

export type PurchaseKey = Readonly<{ client_id: string; key: string; order_id: string }>;

/** The rows that the events of an order require. */
export type Replay = Readonly<{
  orderId: string;
  rows: Readonly<Record<WrittenTable['name'], readonly Row[]>>;
  /** The key that identifies duplicates of the purchase, and whether another purchase may use it now. */
  purchaseKey?: PurchaseKey & { isFree: boolean };
  /** The tickets by the rule of the read model, and by the rule of the stock. */
  stock: Readonly<{ held: number; taken: number }>;
}>;

/** Replays a stream with the same rules as an append. Undefined for a stream of another kind. @throws Error when the events make no order. */
export function replay(stream: StoredStream): Replay | undefined {
  const orderId = idInStream('order', stream[0].stream);
  if (orderId === undefined) return undefined;
  const [order] = rowsOfStream(ordersWriter, stream) as readonly [OrderRow];
  const rows = {
    orders: [order],
    status_history: rowsOfStream(statusHistoryWriter, stream) as readonly Row[],
    pings: rowsOfStream(duePingsWriter, stream) as readonly Row[],
    // No event has the key itself, but the events show that one must exist.
    personal_data_keys: order.personal === null ? [] : [{ order_id: orderId }],
  };
  return { orderId, rows, ...purchaseKey(stream), stock: { held: order.stock_held, taken: heldTickets(stream) } };
}

function purchaseKey(stream: StoredStream): Pick<Replay, 'purchaseKey'> {
  const [first, ...rest] = stream;
  const commit = { stream: first.stream, attachments: {} };
  const [taken] = purchaseKeysWriter.rows({ ...commit, past: [], appended: [first] }) as readonly PurchaseKey[];
  const freed = freedPurchaseKeysWriter.rows({ ...commit, past: [first], appended: rest });
  return taken ? { purchaseKey: { ...taken, isFree: freed.length > 0 } } : {};
}
