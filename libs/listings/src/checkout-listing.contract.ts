import { z } from 'zod';
import { MarketFields } from '#web/market-fields.contract';
import { countryCode } from './addresses.contract.js';
import { DELIVERY_TYPES } from './delivery.contract.js';

// Long enough for any code, and short enough to compare with a seller's table of places.
const MAX_PLACE = 64;

const place = z.string().max(MAX_PLACE);

/** A query argument. An empty one counts as not sent. */
function argument<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

/** Query of GET /listings/{listing_id}. An integer outside the sensible quantities is 'not available' (40011), not malformed. */
export const ListingQuery = z.object({
  event_id: argument(z.string()).meta({ description: 'marketplace event id; if sent, it must be that of the listing' }),
  quantity: argument(z.preprocess(wholeNumber, z.int())).meta({
    description: 'selected quantity; without it, tax is for one ticket',
  }),
  country: argument(place.overwrite((code) => countryCode(code) ?? code)).meta({
    description: 'shipping country, ISO 3166-1 alpha-2 or alpha-3',
  }),
  state: argument(place).meta({ description: 'shipping state, ISO 3166-2 without the country' }),
});
export type ListingQuery = z.infer<typeof ListingQuery>;

function wholeNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value;
  // z.int() refuses numbers beyond the safe integers. They are as unavailable as the largest safe one.
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
}

const dollars = z.number().min(0);

const OfferedDeliveryMethod = z
  .object({
    type: z.enum(DELIVERY_TYPES),
    name: z.string(),
    cost: dollars.meta({
      description: 'US dollars for the whole purchase, at the requested place; 0 in the wholesale variant',
    }),
  })
  .meta({ id: 'OfferedDeliveryMethod' });

/** Answer to a listing lookup. */
export const CheckoutListing = z
  .object({
    listing_id: z.string(),
    section: z.string(),
    row: z.string(),
    notes: z.string().meta({ description: 'seller notes shown to the user' }),
    splits: z.array(z.int().min(1)).meta({ description: 'quantities that can be bought now, ascending' }),
    price: dollars.meta({
      description: 'US dollars per ticket, excluding fees; the wholesale price for a client of the wholesale variant',
    }),
    fees: dollars.meta({ description: 'US dollars per ticket; 0 in the wholesale variant' }),
    tax: dollars.meta({
      description: 'US dollars for the whole purchase: on price and fees, not on delivery; 0 in the wholesale variant',
    }),
    delivery_methods: z.array(OfferedDeliveryMethod),
    market_specific_fields: MarketFields.exactOptional(),
  })
  .meta({
    id: 'CheckoutListing',
    examples: [
      {
        listing_id: 'demo-any-1',
        section: '104',
        row: 'C',
        notes: 'Aisle seats',
        splits: [1, 2, 3, 4],
        price: 50,
        fees: 7.5,
        tax: 0,
        delivery_methods: [{ type: 'download', name: 'Mobile tickets', cost: 0 }],
      },
    ],
  });
export type CheckoutListing = z.infer<typeof CheckoutListing>;
