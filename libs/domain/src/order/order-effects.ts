import type { KnownOrder, Order, Stage } from './order-state.js';

/** Tickets that move between a listing and an order. `taken` is negative when they return. */
export type StockMove = Readonly<{ listing_id: string; listing_version: number; taken: number }>;

/** Returns how the stock moves when an order changes; undefined when it stays. */
export function stockMove(before: Order, after: Order): StockMove | undefined {
  const taken = ticketsHeld(after) - ticketsHeld(before);
  if (taken === 0 || !after.known) return undefined;
  const { product, listing_version } = after.purchase;
  return { listing_id: product.listing_id, listing_version, taken };
}

/** Returns whether the platform may use the `ref_id` of the order again: the payment failed, and it never saw the order. */
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
