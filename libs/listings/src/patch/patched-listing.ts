import { isDeepStrictEqual } from 'node:util';
import { centsOf } from '#domain/money';
import type { ListingTerms } from '../listing.js';
import type { ListingPatchLine } from '../listing-patch.contract.js';

/** A listing, as a line changes it. `is_cancelled`: its show was cancelled, so it stays withdrawn. */
export type PatchedListing = Readonly<{
  id: string;
  terms: ListingTerms;
  /** Tickets for sale. */
  available: number;
  withdrawn_at: Date | string | null;
  is_cancelled: boolean;
}>;

/**
 * The listing after the change; undefined if it is the same. A withdrawn one comes back with `state` alone.
 * @param now ISO 8601
 */
export function patched(listing: PatchedListing, patch: ListingPatchLine, now: string): PatchedListing | undefined {
  const { terms, available, withdrawn_at: withdrawnAt } = listing;
  const next = {
    ...listing,
    terms: {
      ...terms,
      priceCents: inCents(patch.price) ?? terms.priceCents,
      wholesalePriceCents: inCents(patch.wholesale_price) ?? terms.wholesalePriceCents,
      feesCents: inCents(patch.fees) ?? terms.feesCents,
    },
    available: patch.quantity ?? available,
    withdrawn_at: patch.state === 'on_sale' ? null : patch.state === 'withdrawn' ? (withdrawnAt ?? now) : withdrawnAt,
  };
  return isDeepStrictEqual(next, listing) ? undefined : next;
}

const inCents = (dollars: number | undefined) => (dollars === undefined ? undefined : centsOf(dollars));
