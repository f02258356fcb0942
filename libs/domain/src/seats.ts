import type { KnownOrder } from './order-state.js';

/** The seats of an order's tickets, by name. Without names of the listing they are numbered from 1. */
export function seatsOf({ purchase: { product } }: Pick<KnownOrder, 'purchase'>): readonly string[] {
  return product.seats ?? Array.from({ length: product.quantity }, (_, index) => String(index + 1));
}

type SeatsForSale = Readonly<{
  /** All that the listing names. */
  seats?: readonly string[];
  /** Those of them that orders have. */
  heldSeats: readonly string[];
}>;

/** The seats that a purchase can take, in the listing's order. Of a name that the listing repeats, there is one. */
export function freeSeats({ seats = [], heldSeats }: SeatsForSale): readonly string[] {
  const held = new Set(heldSeats);
  return [...new Set(seats)].filter((seat) => !held.has(seat));
}
