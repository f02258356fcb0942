import { freesPurchaseKey } from '#domain/order-effects';
import { orderFold } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import { wholeAppend } from '#event-store/stream-definition';
import type { StoredStream } from '#event-store/stream-scan';
import { needsKey } from '#orders/personal-data-keys.projection';
import { type PurchaseKeyRow, purchaseKeyRows } from '#orders/purchase-keys.projection';
import { duePingsProjection } from '#outbound/due-pings.projection';
import { ordersProjection } from '#orders/orders.projection';
import { statusHistoryProjection } from '#orders/status-history.projection';

export type Row = Readonly<Record<string, unknown>>;

/** Its rows derive from the streams of orders. */
export type WrittenTable = Readonly<{
  name: 'orders' | 'status_history' | 'pings' | 'personal_data_keys';
  order: string;
  /** If an order can have several rows. */
  sequence?: string;
  /** The columns that a replay can compute, with their types. */
  columns: InlineProjection['columns'];
}>;

export const WRITTEN_TABLES: readonly WrittenTable[] = [
  { name: 'orders', order: 'id', columns: ordersProjection.columns },
  { name: 'status_history', order: 'order_id', sequence: 'sequence', columns: statusHistoryProjection.columns },
  { name: 'pings', order: 'order_id', sequence: 'sequence', columns: duePingsProjection.columns },
  { name: 'personal_data_keys', order: 'order_id', columns: { order_id: 'text' } },
];

export type Replay = Readonly<{
  orderId: string;
  rows: Readonly<Record<WrittenTable['name'], readonly Row[]>>;
  /** `isFree`: another purchase may use the key now. */
  purchaseKey?: PurchaseKeyRow & { isFree: boolean };
}>;

/**
 * Maps the folded stream to rows, as an append does. Undefined for a stream of another kind. @throws Error when the events make no order
 */
export function replay(stream: StoredStream): Replay | undefined {
  const orderId = orderIdOf(stream[0].stream);
  if (orderId === undefined) return undefined;
  const commit = wholeAppend(orderFold, stream);
  const { after: order } = commit;
  if (!order.known) throw new Error('A stream with events is an order.');
  const rows = {
    orders: ordersProjection.rows(commit) as readonly Row[],
    status_history: statusHistoryProjection.rows(commit) as readonly Row[],
    pings: duePingsProjection.rows(commit) as readonly Row[],
    // No event has the key itself, but the events show that one must exist.
    personal_data_keys: needsKey(order) ? [{ order_id: orderId }] : [],
  };
  const [key] = purchaseKeyRows(commit.stream, order);
  return { orderId, rows, ...(key && { purchaseKey: { ...key, isFree: freesPurchaseKey(order) } }) };
}
