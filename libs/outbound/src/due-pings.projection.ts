import { isStatusEvent, type OrderEvent } from '#domain/order-events';
import { type Order, statusCount } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

// Rounded to milliseconds like a JavaScript Date, because values that were read are later compared with the stored ones.
export const DATABASE_NOW = "date_trunc('milliseconds', now())";

/** Adds one due ping for each status. The due time comes from the database, because an event's time may be wrong. */
export const duePingsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'due_pings',
  columns: {
    order_id: 'text',
    sequence: 'int',
    position: 'int',
    client_id: 'text',
    ref_id: 'text',
    status: 'text',
    status_code: 'int',
    status_message: 'text',
    occurred_at: 'timestamptz',
    transaction_id: 'text',
    traceparent: 'text',
  },
  statement: (rows) => `
    insert into pings (order_id, sequence, position, client_id, ref_id, status, status_code, status_message,
                       occurred_at, transaction_id, traceparent, due_since, next_try_at)
    select order_id, sequence, position, client_id, ref_id, status, status_code, status_message,
           occurred_at, transaction_id, traceparent, ${DATABASE_NOW}, ${DATABASE_NOW}
    from ${rows} returning 1`,
  rows: pingRows,
};

function pingRows({ stream, before, after, appended }: AppendContext<Order, OrderEvent>): readonly object[] {
  const orderId = orderIdOf(stream);
  if (orderId === undefined || !after.known) return [];
  const { client_id, ref_id } = after.purchase;
  return appended.filter(isStatusEvent).map(({ data, position, recorded_at, metadata }, index) => ({
    order_id: orderId,
    sequence: statusCount(before) + index + 1,
    position,
    client_id,
    ref_id,
    ...data.status,
    occurred_at: recorded_at,
    transaction_id: metadata.transaction_id,
    traceparent: metadata.traceparent ?? null,
  }));
}
