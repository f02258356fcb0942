import type { OrderEvent } from '#domain/order-events';
import { type Order, statusCount } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';
import { DATABASE_NOW } from './due-pings.projection.js';
import { dueAgainAt } from './pings/ping-statements.js';

/** The attachment of an append that makes the order's latest ping due again. */
export const RESEND_LATEST = { resendLatestPing: true } as const;

/** Makes the latest ping of an order due again, in the transaction of the change. A change that records a status has its own ping. */
export const resentPingsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'resent_pings',
  columns: { order_id: 'text', sequence: 'int' },
  // Locks in the same order as the workers, to avoid deadlocks.
  statement: (rows) => `
    update pings set ${dueAgainAt(DATABASE_NOW)}
    from (select pings.order_id as id, pings.sequence as place from ${rows} join pings using (order_id, sequence)
          order by 1, 2 for update of pings) as chosen
    where order_id = id and sequence = place returning 1`,
  rows: resentPings,
};

function resentPings({ stream, before, after, attachments }: AppendContext<Order, OrderEvent>): readonly object[] {
  const orderId = orderIdOf(stream);
  const isAsked = 'resendLatestPing' in attachments;
  const sequence = statusCount(before);
  if (!isAsked || orderId === undefined || sequence === 0 || statusCount(after) > sequence) return [];
  return [{ order_id: orderId, sequence }];
}
