import type { Fulfillment, ReceivedPurchase } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import type { Status } from '#domain/status';

/** Without the buyer's data in `delivery_method.data`. */
export type PurchaseDocument = {
  id: string;
  status: Status | null;
  product: Pick<ReceivedPurchase['product'], 'event_id' | 'listing_id' | 'quantity'>;
  delivery_method: { type: string; data: Record<string, unknown> };
  fulfillment: Fulfillment | null;
  market_specific_fields?: Readonly<Record<string, unknown>>;
  ref_id?: string;
  status_history: (Status & { created_at: string })[];
};

/** Without what is sealed. Of older purchases the market's own fields are there until they are erased. */
export function purchaseDocument(id: string, order: KnownOrder): PurchaseDocument {
  const { delivery_method: type, market_specific_fields, ref_id, product } = order.purchase;
  const { event_id, listing_id, quantity } = product;
  return {
    id,
    status: order.status,
    product: { event_id, listing_id, quantity },
    delivery_method: { type, data: {} },
    fulfillment: order.fulfillment,
    ...(market_specific_fields && !order.personalDataErased && { market_specific_fields }),
    ...(ref_id !== null && { ref_id }),
    // Each field by name: a spread for each of a thousand statuses takes as long as folding their events.
    status_history: order.statuses.map(({ status: { status, status_message, status_code }, at }) => {
      return { status, status_message, status_code, created_at: at };
    }),
  };
}
