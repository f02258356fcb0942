import { returnDue } from './payment-steps.js';
import { type KnownOrder, type Order, type Stage, statusCount } from './order-state.js';

/** `taken` is negative when tickets return to the listing. */
export type StockMove = Readonly<{ listing_id: string; listing_version: number; taken: number }>;

/** What the stock of listings loses or gains: at most one row for the order's own listing, and one for that of other tickets. */
export function stockMoves(before: Order, after: Order): StockMove[] {
  if (!after.known) return [];
  const was = holdings(before);
  const is = holdings(after);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((listing_id) => {
    const taken = (is.get(listing_id) ?? 0) - (was.get(listing_id) ?? 0);
    return taken === 0 ? [] : [{ listing_id, listing_version: versionOf(after, listing_id), taken }];
  });
}

/** The listing whose stock the order takes first. */
export function ownListing(before: Order, after: Order): string | undefined {
  const order = before.known ? before : after;
  return order.known ? order.purchase.product.listing_id : undefined;
}

/** The tickets of each listing that nobody else can buy because of this order. */
function holdings(order: Order): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  if (!order.known) return held;
  const { purchase, tickets, replacement, sentBefore } = order;
  const add = (listing: string, quantity: number) => held.set(listing, (held.get(listing) ?? 0) + quantity);
  if (tickets.held > 0) add(purchase.product.listing_id, tickets.held);
  if (replacement?.state === 'open' && !replacement.imported) add(replacement.listing_id, replacement.quantity);
  for (const { listing_id, quantity } of sentBefore) add(listing_id, quantity);
  return held;
}

function versionOf({ purchase, replacement }: KnownOrder, listingId: string): number {
  if (replacement?.state === 'open' && replacement.listing_id === listingId) return replacement.listing_version;
  return purchase.listing_version;
}

/** What follows outside the order: the platform gets a ping, the provider returns the payment or a part of it, or tickets are for sale again. */
export type ChangeEffect = 'ping' | 'return_payment' | 'return_difference' | 'restock';

/** What follows when the first order becomes the second. */
export function effectsOf(before: KnownOrder, after: KnownOrder): ChangeEffect[] {
  const returnsPayment = (order: KnownOrder) => order.status?.status === 'rejected' && moneyOf(order) > 0;
  const differenceOf = (order: KnownOrder) => (order.differenceDue?.cents ?? 0) + lessTaken(order);
  return [
    ...(statusCount(after) > statusCount(before) ? (['ping'] as const) : []),
    ...(returnsPayment(after) && !returnsPayment(before) ? (['return_payment'] as const) : []),
    ...(!returnsPayment(after) && differenceOf(after) > differenceOf(before) ? (['return_difference'] as const) : []),
    ...(stockMoves(before, after).some(({ taken }) => taken < 0) ? (['restock'] as const) : []),
  ];
}

/** In cents: what is held or was taken, and would go back. */
function moneyOf(order: KnownOrder): number {
  const { payment } = order;
  if (payment.is !== 'authorised' && payment.is !== 'captured') return 0;
  if (payment.claim === 'not_confirmed') return 0;
  return payment.is === 'authorised' ? payment.amount_cents : returnDue(order);
}

/** In cents: what of the hold will not be taken, because the buyer took cheaper tickets. */
function lessTaken({ payment }: KnownOrder): number {
  return payment.is === 'authorised' ? (payment.returned_cents ?? 0) : 0;
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
