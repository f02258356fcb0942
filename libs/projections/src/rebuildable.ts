import type { InlineWriter } from '#event-store/inline-writer';
import { orderIdOf } from './order-events.js';
import { ordersWriter } from './orders.projection.js';
import { statusHistoryWriter } from './status-history.projection.js';

type ReadModel = Readonly<{
  /** The column with the order that a row is of. */
  key: string;
  /** What its writer makes of a whole stream are the rows of that stream; its name is the table's. */
  writer: InlineWriter;
}>;

/** The read models that can be made anew from the log, by the names of their tables. */
export const REBUILDABLE = {
  orders: { key: 'id', writer: ordersWriter },
  status_history: { key: 'order_id', writer: statusHistoryWriter },
} as const satisfies Readonly<Record<string, ReadModel>>;

export type Rebuildable = keyof typeof REBUILDABLE;

/** The key that the rows of a stream have. */
export function keyOf(stream: string): string {
  return orderIdOf(stream) ?? stream;
}
