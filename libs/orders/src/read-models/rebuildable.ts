import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import { ordersProjection } from '../orders.projection.js';
import { statusHistoryProjection } from '../status-history.projection.js';

type ReadModel = Readonly<{
  /** The column with the order id. */
  key: string;
  /** Its name is the table's. */
  writer: InlineProjection<Order, OrderEvent>;
}>;

/** By table name. */
export const REBUILDABLE = {
  orders: { key: 'id', writer: ordersProjection },
  status_history: { key: 'order_id', writer: statusHistoryProjection },
} as const satisfies Readonly<Record<string, ReadModel>>;

export type Rebuildable = keyof typeof REBUILDABLE;

export function keyOf(stream: string): string {
  return orderIdOf(stream) ?? stream;
}
