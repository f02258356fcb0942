import type { ReceivedPurchase } from '#domain/order/order-events';
import type { RecordedEvent } from '#event-store/event';
import type { Commit, InlineWriter } from '#event-store/inline-writer';
import { isStatusEvent, orderIdOf } from '#projections/order-events';

// As exact as a process keeps it: what it has read has to equal what is stored.
export const DATABASE_NOW = "date_trunc('milliseconds', now())";

/**
 * One ping becomes due with each status of an order, in the transaction that records it; they are counted from 1. It is due
 * by the clock of the database: the event's own time is that of the process, which may be wrong.
 */
export const duePingsWriter: InlineWriter = {
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
  },
  statement: (rows) => `
    insert into pings (order_id, sequence, position, client_id, ref_id, status, status_code, status_message,
                       occurred_at, transaction_id, due_since, next_try_at)
    select order_id, sequence, position, client_id, ref_id, status, status_code, status_message,
           occurred_at, transaction_id, ${DATABASE_NOW}, ${DATABASE_NOW}
    from ${rows} returning 1`,
  rows: pingRows,
};

function pingRows({ stream, past, appended }: Commit): readonly object[] {
  const orderId = orderIdOf(stream);
  const purchase = received(past[0] ?? appended[0]);
  if (orderId === undefined || !purchase) return [];
  const earlier = past.filter(isStatusEvent).length;
  return appended.filter(isStatusEvent).map(({ data, position, recorded_at, metadata }, index) => ({
    order_id: orderId,
    sequence: earlier + index + 1,
    position,
    client_id: purchase.client_id,
    ref_id: purchase.ref_id,
    ...data.status,
    occurred_at: recorded_at,
    transaction_id: metadata.transaction_id,
  }));
}

function received(first: RecordedEvent | undefined): ReceivedPurchase | undefined {
  return first?.type === 'PurchaseReceived' ? (first.data as ReceivedPurchase) : undefined;
}
