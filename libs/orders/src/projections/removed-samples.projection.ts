import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';

/** A trigger of the table takes the order's row away, which the application itself may not do. */
export const removedSamplesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'removed_samples',
  columns: { order_id: 'text', at: 'timestamptz' },
  statement: (rows) =>
    `insert into removed_samples (order_id, removed_at) select order_id, at from ${rows} returning 1`,
  rows: ({ stream, appended }) => {
    const removed = appended.find(({ type }) => type === 'SampleRemoved');
    return removed ? [{ order_id: orderIdOf(stream), at: removed.recorded_at }] : [];
  },
};
