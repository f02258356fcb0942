import type { OrderEvent } from '#domain/order-events';
import { type Order, orderFold } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import { wholeAppend } from '#event-store/stream-definition';
import type { StoredStream } from '#event-store/stream-scan';
import { LEDGER_COLUMNS, ledgerRows } from '../ledger-entries.projection.js';
import { ordersProjection } from '../orders.projection.js';
import { statusHistoryProjection } from '../status-history.projection.js';

type ReadModel = Readonly<{
  columns: readonly string[];
  /** The column that says of which stream a row is. */
  key: string;
  /** What stands there. */
  keyOf(stream: string): string;
  /** All rows of a stream. None if the table has none of its kind. */
  rows(stream: StoredStream): readonly object[];
}>;

const ofOrders = (key: string, writer: InlineProjection<Order, OrderEvent>): ReadModel => ({
  columns: Object.keys(writer.columns),
  key,
  keyOf: (stream) => orderIdOf(stream) ?? stream,
  rows: (stream) => (orderIdOf(stream[0].stream) === undefined ? [] : writer.rows(wholeAppend(orderFold, stream))),
});

/** By table name. */
export const REBUILDABLE = {
  orders: ofOrders('id', ordersProjection),
  status_history: ofOrders('order_id', statusHistoryProjection),
  ledger_entries: {
    columns: Object.keys(LEDGER_COLUMNS),
    key: 'stream',
    keyOf: (stream) => stream,
    rows: ledgerRows,
  },
} as const satisfies Readonly<Record<string, ReadModel>>;

export type Rebuildable = keyof typeof REBUILDABLE;
