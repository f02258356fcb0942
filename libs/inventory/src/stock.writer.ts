import type { ReceivedPurchase } from '#domain/order/order-events';
import type { Status } from '#domain/status';
import type { RecordedEvent } from '#event-store/event';
import type { InlineWriter } from '#event-store/inline-writer';
import { listingLock } from './listing-lock.js';

/**
 * Takes an order's tickets from its listing, and gives them back, in the transaction of the order's events. Taking is
 * conditional: `WriterRefused` of `stock` means that the listing changed, was withdrawn, or has not enough left.
 */
export const stockWriter: InlineWriter = {
  name: 'stock',
  columns: { listing_id: 'text', listing_version: 'int', taken: 'int' },
  mustAffect: true,
  contendedKey: (row) => listingLock((row as { listing_id: string }).listing_id),
  // The limit tells the planner that there is one row, so that it goes by the primary key however many listings there are.
  // Rules that look at the quantity alone were checked with the price, and the version says that they still hold.
  statement: (rows) => `
    update listings set available = available - order_stock.taken
    from (select * from ${rows} limit 1) as order_stock
    where listings.id = order_stock.listing_id and (order_stock.taken < 0 or (
      listings.version = order_stock.listing_version and listings.withdrawn_at is null
      and listings.available >= order_stock.taken
      and case listings.split_rule
        when 'no_single_left' then listings.available - order_stock.taken <> 1
        when 'all_together' then listings.available = order_stock.taken
        else true end))
    returning 1`,
  rows({ past, appended }) {
    const purchase = purchaseOf(past) ?? purchaseOf(appended);
    if (!purchase) return [];
    const taken = heldTickets([...past, ...appended]) - heldTickets(past);
    if (taken === 0) return [];
    return [{ listing_id: purchase.product.listing_id, listing_version: purchase.listing_version, taken }];
  },
};

/** How many tickets an order with these events keeps from being sold: all it bought, or none once they are given back. */
export function heldTickets(events: readonly RecordedEvent[]): number {
  let held = 0;
  let sentOut = false;
  for (const { type, data } of events) {
    if (type === 'PurchaseReceived') held = (data as ReceivedPurchase).product.quantity;
    if (type === 'PaymentDeclined' || type === 'PaymentFailed') held = 0;
    // Tickets that were sent out cannot be sold a second time, whatever becomes of the order.
    if (isRejection(data) && !sentOut) held = 0;
    sentOut ||= type === 'TicketsShipped' || type === 'TicketsDelivered';
  }
  return held;
}

function purchaseOf(events: readonly RecordedEvent[]): ReceivedPurchase | undefined {
  const [first] = events;
  return first?.type === 'PurchaseReceived' ? (first.data as ReceivedPurchase) : undefined;
}

function isRejection(data: object): boolean {
  return 'status' in data && (data.status as Status).status === 'rejected';
}
