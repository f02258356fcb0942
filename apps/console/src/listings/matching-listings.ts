import type { ListingDocument } from '#listings/listing.contract';
import { askPage, FIRST_PAGE } from '../api/http.js';
import type { listingQueryOf } from './listing-filters.js';

/** What a list of listings is asked, in the words of the api. */
export type ListingQuestion = ReturnType<typeof listingQueryOf>;

// As many as the api gives at once.
const PAGE = 200;

/**
 * All listings of a question, page by page. Sorted by id, because a change of a colleague must move none to another page.
 * @param onProgress told how many are read
 */
export async function matchingListings(
  question: ListingQuestion,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly ListingDocument[]> {
  const query = { ...question, sort: 'listing_id.asc', limit: PAGE } as const;
  const found: ListingDocument[] = [];
  let cursor: string | undefined = FIRST_PAGE;
  do {
    const page: { listings: ListingDocument[]; next_cursor: string | null } = await askPage(
      'GET listings',
      { query },
      { cursor, signal },
    );
    found.push(...page.listings);
    onProgress(found.length);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
