import { freeSeats } from '#domain/seats';
import type { Listing } from '#listings/listing';

/** Which seats the purchases under way in this process try to take, so that buyers at the same time do not try for the same ones. */
export class SeatClaims {
  private readonly claimed = new Map<string, ReadonlySet<string>>();

  /** The first free seats that nobody else tries to take. Undefined if the listing names too few, so that the seats are only numbered. */
  claim(listing: Listing, quantity: number): readonly string[] | undefined {
    const free = freeSeats(listing);
    if (free.length < quantity) return undefined;
    const claimed = this.claimed.get(listing.id) ?? new Set();
    const unclaimed = free.filter((seat) => !claimed.has(seat));
    const seats = (unclaimed.length < quantity ? free : unclaimed).slice(0, quantity);
    this.claimed.set(listing.id, new Set([...claimed, ...seats]));
    return seats;
  }

  /** Call this once the seats are taken, or not. */
  release(listingId: string, seats: readonly string[]): void {
    const others = [...(this.claimed.get(listingId) ?? [])].filter((seat) => !seats.includes(seat));
    if (others.length > 0) this.claimed.set(listingId, new Set(others));
    else this.claimed.delete(listingId);
  }
}
