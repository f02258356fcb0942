import { z } from 'zod';
import { ExternalId, ListingId, Money, Quantity, Seller, withoutNulls } from './listing.contract.js';

const MOST_LINES = 1_000;

const line = z
  .strictObject({
    listing_id: ListingId.exactOptional(),
    external_id: ExternalId.exactOptional(),
    seller: Seller.exactOptional(),
    price: Money.exactOptional(),
    wholesale_price: Money.exactOptional(),
    fees: Money.exactOptional(),
    quantity: Quantity.exactOptional(),
    state: z.enum(['on_sale', 'withdrawn']).exactOptional(),
    if_price: Money.exactOptional(),
  })
  .refine(({ listing_id: id, external_id: other }) => id !== undefined || other !== undefined, {
    path: ['listing_id'],
    message: 'must be there, or `external_id`',
  });

/** One line: the listing, by its id or the seller's own, and what changes. */
export const ListingPatchLine = z.preprocess(withoutNulls, line);
export type ListingPatchLine = z.infer<typeof ListingPatchLine>;

/** Body of PATCH /backoffice/v1/listings. Each line is read by itself, so that a wrong one does not stop the others. */
export const ListingPatch = z
  .strictObject({
    listings: z.array(z.unknown()).min(1).max(MOST_LINES).meta({
      description:
        'lines with `listing_id`, or `external_id` and perhaps its `seller`, and any of `price`, `wholesale_price`, `fees`, `quantity` (0: sold out), `state` (on_sale, withdrawn); with `if_price`, the price that the change is made from, it is refused (41201) once the listing has another one',
    }),
  })
  .meta({ id: 'ListingPatch', example: { listings: [{ external_id: 'TM-4711', price: 55, quantity: 2 }] } });
export type ListingPatch = z.infer<typeof ListingPatch>;

const ListingPatchResult = z
  .object({
    listing_id: z.string().nullable().meta({ description: 'null: no such listing was found' }),
    external_id: z.string().optional(),
    outcome: z.enum(['changed', 'unchanged', 'refused']),
    errors: z.array(z.object({ code: z.int(), message: z.string() })).optional(),
  })
  .meta({ id: 'ListingPatchResult' });
export type ListingPatchResult = z.infer<typeof ListingPatchResult>;

export const ListingPatchResults = z
  .object({ results: z.array(ListingPatchResult).meta({ description: 'one for each line, in their order' }) })
  .meta({ id: 'ListingPatchResults' });
export type ListingPatchResults = z.infer<typeof ListingPatchResults>;
