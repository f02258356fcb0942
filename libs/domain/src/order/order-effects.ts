import type { KnownOrder, Order, Stage } from './order-state.js';

/** `taken` is negative when tickets return to the listing. */
export type StockMove = Readonly<{ listing_id: string; listing_version: number; taken: number }>;

export function stockMove(before: Order, after: Order): StockMove | undefined {
  const taken = ticketsHeld(after) - ticketsHeld(before);
  if (taken === 0 || !after.known) return undefined;
  const { product, listing_version } = after.purchase;
  return { listing_id: product.listing_id, listing_version, taken };
}

/** The payment failed and the platform never saw the order, so it may use the `ref_id` again. */
export function freesPurchaseKey({ stage }: KnownOrder): boolean {
  return FREES_PURCHASE_KEY[stage];
}

const FREES_PURCHASE_KEY: Readonly<Record<Stage, boolean>> = {
  awaiting_payment: false,
  placed: false,
  declined: true,
  failed: true,
};

function ticketsHeld(order: Order): number {
  return order.known ? order.tickets.held : 0;
}
