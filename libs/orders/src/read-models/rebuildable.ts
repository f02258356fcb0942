import type { OrderEvent } from '#domain/order-events';
import { type Order, orderFold } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import { wholeAppend } from '#event-store/stream-definition';
import type { StoredStream } from '#event-store/stream-scan';
import { disputesProjection } from '../disputes.projection.js';
import { LEDGER_COLUMNS, ledgerRows } from '../ledger-entries.projection.js';
import { IS_EVENT_BORN, openedMoneyTasksProjection } from '../money-tasks.projection.js';
import { ordersProjection } from '../orders.projection.js';
import { statusHistoryProjection } from '../status-history.projection.js';

export type ReadModel = Readonly<{
  columns: readonly string[];
  /** The column that says of which stream a row is. */
  key: string;
  /** What stands there. */
  keyOf(stream: string): string;
  /** All rows of a stream. None if the table has none of its kind. */
  rows(stream: StoredStream): readonly object[];
  /** Takes into the filled `second` table what the events do not say and `first` has. */
  kept?(first: string, second: string): string;
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
  disputes: ofOrders('order_id', disputesProjection),
  money_tasks: {
    ...ofOrders('order_id', openedMoneyTasksProjection),
    kept: (first, second) => `
      insert into ${second} select * from ${first} where not (${IS_EVENT_BORN});
      update ${second} t set done_at = ended.done_at, done_by = ended.done_by, note = ended.note
      from ${first} ended where ended.subject = t.subject and ended.done_by is not null`,
  },
} as const satisfies Readonly<Record<string, ReadModel>>;

export type Rebuildable = keyof typeof REBUILDABLE;
