import { type DomainError, domainError } from './domain-error.js';
import type { ReceivedPurchase } from './order-events.js';

type Bought = Readonly<{ purchase: ReceivedPurchase }>;

/** The seats of an order's tickets, by name. Without names of the listing they are numbered from 1. */
export function seatsOf({ purchase: { product } }: Bought): readonly string[] {
  return product.seats ?? Array.from({ length: product.quantity }, (_, index) => String(index + 1));
}

/** Why not all of these are seats of the order. `path` names the place of one as clients write it, e.g. `seats[1]`. */
export function wrongSeat(
  order: Bought,
  seats: readonly string[],
  path: (index: number) => string,
): DomainError | undefined {
  const known = seatsOf(order);
  const wrong = seats.findIndex((seat, index) => !known.includes(seat) || seats.indexOf(seat) < index);
  if (wrong < 0) return undefined;
  const issue = known.includes(seats[wrong] ?? '') ? 'is there twice' : 'is no seat of the order';
  return domainError('SEAT_UNKNOWN', `${path(wrong)} ${issue}`);
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
