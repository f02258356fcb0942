import { type KnownOrder, type Order, type Stage, statusCount } from './order-state.js';

/** `taken` is negative when tickets return to the listing. */
export type StockMove = Readonly<{ listing_id: string; listing_version: number; taken: number }>;

export function stockMove(before: Order, after: Order): StockMove | undefined {
  const taken = ticketsHeld(after) - ticketsHeld(before);
  if (taken === 0 || !after.known) return undefined;
  const { product, listing_version } = after.purchase;
  return { listing_id: product.listing_id, listing_version, taken };
}

/**
 * What follows from a change outside the order. `ping`: the platform is told. `return_payment`: the provider voids or refunds the
 * payment. `restock`: the tickets are for sale again.
 */
export type ChangeEffect = 'ping' | 'return_payment' | 'restock';

/** What follows when the first order becomes the second. */
export function effectsOf(before: KnownOrder, after: KnownOrder): ChangeEffect[] {
  const returnsPayment = (order: KnownOrder) => order.deadline?.for === 'payment_release';
  return [
    ...(statusCount(after) > statusCount(before) ? (['ping'] as const) : []),
    ...(returnsPayment(after) && !returnsPayment(before) ? (['return_payment'] as const) : []),
    ...((stockMove(before, after)?.taken ?? 0) < 0 ? (['restock'] as const) : []),
  ];
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
