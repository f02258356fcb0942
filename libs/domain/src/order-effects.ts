import { returnDue } from './payment-steps.js';
import { type HeldTickets, type KnownOrder, type Order, type Stage, statusCount } from './order-state.js';

/** `taken` is negative when tickets return to the listing. `seats`: those that move, if the listing names them. */
export type StockMove = Readonly<{
  listing_id: string;
  listing_version: number;
  taken: number;
  seats?: readonly string[];
}>;

/** What the stock of listings loses or gains: at most one row for the order's own listing, and one for that of other tickets. */
export function stockMoves(before: Order, after: Order): StockMove[] {
  if (!after.known) return [];
  const was = holdings(before);
  const is = holdings(after);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((listing_id) => {
    const [held, before] = [is.get(listing_id) ?? NONE, was.get(listing_id) ?? NONE];
    const taken = held.quantity - before.quantity;
    if (taken === 0) return [];
    const seats = taken > 0 ? without(held.seats, before.seats) : without(before.seats, held.seats);
    const move = { listing_id, listing_version: versionOf(after, listing_id), taken };
    return [seats.length > 0 ? { ...move, seats } : move];
  });
}

/** The listing whose stock the order takes first. */
export function ownListing(before: Order, after: Order): string | undefined {
  const order = before.known ? before : after;
  return order.known ? order.purchase.product.listing_id : undefined;
}

/** The tickets of each listing that nobody else can buy because of this order. */
function holdings(order: Order): ReadonlyMap<string, Holding> {
  const held = new Map<string, Holding>();
  if (!order.known) return held;
  const { purchase, tickets, replacement, sentBefore } = order;
  const add = ({ listing_id, quantity, seats = [] }: HeldTickets) => {
    const before = held.get(listing_id) ?? NONE;
    held.set(listing_id, { quantity: before.quantity + quantity, seats: [...before.seats, ...seats] });
  };
  if (tickets.held > 0) {
    const { held: quantity, seats = [] } = tickets;
    add({ listing_id: purchase.product.listing_id, quantity, seats });
  }
  if (replacement?.state === 'open' && !replacement.imported) add(replacement);
  for (const sent of sentBefore) add(sent);
  return held;
}

type Holding = Required<Pick<HeldTickets, 'quantity' | 'seats'>>;

const NONE: Holding = { quantity: 0, seats: [] };

function without(seats: readonly string[], others: readonly string[]): readonly string[] {
  return others.length === 0 ? seats : seats.filter((seat) => !others.includes(seat));
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
