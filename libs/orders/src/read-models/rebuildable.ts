import type { OrderEvent } from '#domain/order/order-events';
import type { Order } from '#domain/order/order-state';
import { orderIdOf } from '#domain/order/order-stream';
import type { InlineWriter } from '#event-store/inline-writer';
import { ordersWriter } from './orders.projection.js';
import { statusHistoryWriter } from './status-history.projection.js';

type ReadModel = Readonly<{
  /** The column with the order id. */
  key: string;
  /** The writer that makes the rows of a whole stream. Its name is the table's. */
  writer: InlineWriter<Order, OrderEvent>;
}>;

/** The read models that can be rebuilt from the log, by table name. */
export const REBUILDABLE = {
  orders: { key: 'id', writer: ordersWriter },
  status_history: { key: 'order_id', writer: statusHistoryWriter },
} as const satisfies Readonly<Record<string, ReadModel>>;

export type Rebuildable = keyof typeof REBUILDABLE;

/** Returns the key of a stream's rows. */
export function keyOf(stream: string): string {
  return orderIdOf(stream) ?? stream;
}
