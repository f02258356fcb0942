import { z } from 'zod';
import { instant } from '#web/instant.contract';
import { text } from '#base/text';
import { ExternalId, LISTING_STATES, ListingDocument, Seller } from './listing.contract.js';

const LISTING_SORTS = [
  'created_at.desc',
  'created_at.asc',
  'updated_at.desc',
  'updated_at.asc',
  'listing_id.asc',
  'listing_id.desc',
] as const;

const MOST_A_PAGE = 200;

/** The content of `next_cursor`: the sorted column's value and the id that breaks ties. */
export const ListingListCursor = z.tuple([instant, text(255).min(1)]);

// PostgreSQL knows no year 0.
const ShowDay = z.iso.date().refine((day) => !day.startsWith('0000'), 'must be in the years 1 to 9999');

/** Query of GET /backoffice/v1/listings. */
export const ListingListQuery = z.strictObject({
  event_id: text(255).min(1).optional(),
  state: z.enum(LISTING_STATES).optional().meta({
    description: 'a withdrawn listing has no other state; sold_out has no tickets left',
  }),
  external_id: ExternalId.optional(),
  seller: Seller.optional().meta({ description: 'the whole name; case does not matter' }),
  from: ShowDay.optional().meta({
    description: 'first day of the show, at its venue; shows that the catalogue lacks have no day and are left out',
  }),
  to: ShowDay.optional().meta({ description: 'last day of the show, at its venue' }),
  q: text(255).min(1).optional().meta({
    description: 'part of the listing id, event id, section, row or the name of the show; case does not matter',
  }),
  sort: z.enum(LISTING_SORTS).default('created_at.desc'),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: z.string().max(1_024).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type ListingListQuery = z.output<typeof ListingListQuery>;

export const ListingList = z
  .object({
    listings: z.array(ListingDocument),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'ListingList' });
export type ListingList = z.infer<typeof ListingList>;
