import { describeIssues } from '#web/issues.contract';
import { errorEntry } from '#web/error-body.contract';
import type { ErrorCode } from '#web/errors.contract';
import { ListingPatchLine, type ListingPatchResult } from '../listing-patch.contract.js';

type Refused = Readonly<{ is: 'refused'; result: ListingPatchResult }>;

export type PatchLine = Readonly<{ is: 'read'; patch: ListingPatchLine }> | Refused;

/** What a line can name a listing by. */
export type NamedListing = Readonly<{ id: string; external_id: string | null; seller: string | null }>;

/** A line that cannot be read is refused. */
export function readLine(given: unknown): PatchLine {
  const { data, error } = ListingPatchLine.safeParse(given);
  if (data) return { is: 'read', patch: data };
  return { is: 'refused', result: refused({}, null, 40001, describeIssues(error.issues)) };
}

/** The only listing that a line can mean. */
export function foundListing(
  patch: ListingPatchLine,
  named: readonly NamedListing[],
): Refused | Readonly<{ is: 'found'; id: string; patch: ListingPatchLine }> {
  const refuse = (id: string | null, code: ErrorCode, detail: string): Refused => ({
    is: 'refused',
    result: refused(patch, id, code, detail),
  });
  const { listing_id: id, external_id: externalId, seller } = patch;
  const isOf = (listing: NamedListing) => seller === undefined || listing.seller === seller;
  if (id !== undefined) {
    const listing = named.find((one) => one.id === id && isOf(one));
    if (!listing) return refuse(null, 40400, 'there is no such listing');
    const agree = externalId === undefined || listing.external_id === externalId;
    return agree ? { is: 'found', id, patch } : refuse(id, 40902, 'external_id: is not that of this listing');
  }
  const [listing, ...others] = named.filter((one) => one.external_id === externalId && isOf(one));
  if (!listing) return refuse(null, 40400, 'there is no such listing');
  if (others.length > 0) return refuse(null, 40902, 'external_id: several sellers have it; name the `seller`');
  return { is: 'found', id: listing.id, patch };
}

export function refused(
  { external_id }: Pick<ListingPatchLine, 'external_id'>,
  listing_id: string | null,
  code: ErrorCode,
  detail: string,
): ListingPatchResult {
  const { message } = errorEntry(code, detail);
  return {
    listing_id,
    ...(external_id !== undefined && { external_id }),
    outcome: 'refused',
    errors: [{ code, message }],
  };
}
