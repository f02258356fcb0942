/** The ids of sample orders. Together they tell them apart from an order of somebody who bought at a sample listing. */
export const sampleListingId = (eventId: number, confirmWithin: number | undefined): string =>
  `sample-${eventId}-${confirmWithin ? `confirm-${confirmWithin}` : 'instant'}`;

/** @param at milliseconds since the epoch @param number below 1,000 */
export const sampleRefId = (at: number, number: number): string => `sg-${at.toString(36)}-${number}`;

export const sampleTransactionId = (requestId: `req_${string}`): string => `sg-${requestId.slice(4)}`;

/** Whether the row `o` of `orders` is a sample order, in SQL. It needs no mark, so it knows those of every earlier version too. */
export const IS_SAMPLE_ORDER = `(o.listing_id ~ '^sample-[0-9]+-(instant|confirm-[0-9]+)$'
  and o.transaction_id ~ '^sg-[0-9a-f]{32}$' and o.ref_id ~ '^sg-[0-9a-z]+-[0-9]{1,3}$')`;

/** Whether the row `l` of `listings` is a sample listing that was made up by the number of its show, in SQL. */
export const IS_SAMPLE_LISTING = `l.id ~ '^sample-[0-9]+-([0-9]+|instant|confirm-[0-9]+)$'`;
