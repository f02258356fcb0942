import { z } from 'zod';
import { centsOf } from '#domain/money';
import { DELIVERY_FORMS, type DeliveryForm, type DeliveryType } from '#domain/pricing';
import { countryCode } from './addresses.contract.js';
import { DELIVERY_TYPES } from './delivery.contract.js';
import { MarketFields } from '#web/market-fields.contract';
import { hasNoControl, text, visibleText } from '#base/text';
import { readOnlyFields } from '#web/read-only.contract';

/**
 * Back office, listings (docs/listings.md). Money is in dollars here: floats with at most two decimals. Behind this schema it
 * is integer cents.
 */

// The router accepts path segments of at most 100 characters, and refuses encoded slashes before it decodes.
const IDENTIFIER_LENGTH = 100;

// The api refuses these in a path (`checkPath`), because decoding them once more would change the path.
const READS_AS_ENCODED = /%(?:25)*(?:[01][0-9a-f]|2[ef]|3[0-9]|4[1-9a-f]|5[0-9ac]|6[1-9a-f]|7[0-9af])/i;

const NOT_AN_ID = 'must be 1 to 100 characters without slashes and control characters';

/** A valid listing id. Encoded, it must be one path segment that the api accepts. */
export const ListingId = text(IDENTIFIER_LENGTH)
  .regex(/^[^/\\]+$/, { error: NOT_AN_ID, abort: true })
  .refine(hasNoControl, NOT_AN_ID)
  .refine((id) => id.trim() !== '', 'must not be blank')
  .refine((id) => id !== '.' && id !== '..', 'must not be a dot segment')
  .refine((id) => !READS_AS_ENCODED.test(id), 'must not hold a percent-encoded letter, digit, dot or slash');

// Not `multipleOf`: validators divide floats, and 19.99 / 0.01 is not whole.
export const Money = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((dollars) => centsOf(dollars) !== null, 'must have at most two decimals')
  .meta({ description: 'US dollars, with at most two decimals' });

const Rate = z.number().min(0).max(1).meta({ description: 'share of the price, e.g. 0.08875' });

/** A country (`US`) or one of its subdivisions (`US-NY`), ISO 3166. A purchase names its country by the same code. */
const Region = z
  .string()
  .regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, 'must be a country (US) or a country and state (US-NY)')
  .overwrite((region) => `${countryCode(region.slice(0, 2)) ?? region.slice(0, 2)}${region.slice(2)}`);

const MAX_QUANTITY = 100_000;

export const Quantity = z.int().min(0).max(MAX_QUANTITY);

/** A withdrawn listing has no other state; `sold_out` has no tickets left. */
export const LISTING_STATES = ['on_sale', 'sold_out', 'withdrawn'] as const;

const ListingSplitRule = z
  .union([
    z.enum(['any', 'pairs', 'no_single_left', 'all_together']),
    z
      .array(z.int().min(1).max(MAX_QUANTITY))
      .min(1)
      .max(100)
      .refine((quantities) => new Set(quantities).size === quantities.length, 'must not repeat a quantity'),
  ])
  .meta({ id: 'ListingSplitRule', description: 'Which quantities may be bought; an array names them one by one.' });

/** Many serializers write null for missing values. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

const FORMS: Readonly<Record<DeliveryType, readonly DeliveryForm[]>> = {
  download: ['files', 'links', 'barcodes'],
  ship: ['own', 'label'],
  transfer: [],
  will_call: [],
};

const deliveryMethod = z
  .strictObject({
    type: z.enum(DELIVERY_TYPES),
    name: text(100).min(1),
    form: z.enum(DELIVERY_FORMS).exactOptional().meta({
      description:
        'what the seller sends: `files` (as without it), `links` or `barcodes` of a download; an `own` parcel (as without it), or one with our `label`',
    }),
    cost: Money,
    costs: z
      .record(Region, Money)
      .exactOptional()
      .meta({ description: 'cost per country (`US`) or country-state (`US-NY`)' }),
  })
  .check(({ value: { type, form }, issues }) => {
    if (form === undefined || FORMS[type].includes(form)) return;
    const message = FORMS[type].length > 0 ? `must be one of ${FORMS[type].join(', ')}` : `is not for ${type}`;
    issues.push({ code: 'custom', path: ['form'], message, input: form });
  })
  .meta({ id: 'ListingDeliveryMethod' });
const ListingDeliveryMethod = z.preprocess(withoutNulls, deliveryMethod);

// A purchase names only the type of its delivery method, so a listing cannot have two of one type.
const DeliveryMethods = z
  .array(ListingDeliveryMethod)
  .min(1)
  .refine((methods) => new Set(methods.map(({ type }) => type)).size === methods.length, 'must not repeat a type');

export const Seller = visibleText(200);

/** What the seller's own program calls the listing. */
export const ExternalId = visibleText(100);

// PostgreSQL knows no year 0.
const time = z.iso
  .datetime({ offset: true })
  .refine((value) => !value.startsWith('0000'), 'must be in the years 1 to 9999');

// A seat is a segment of paths.
const Seat = text(50).regex(/^[^/\\]+$/, 'must be a name without slashes');

const fields = {
  event_id: ListingId,
  section: text(200),
  row: text(100),
  seats: z.array(Seat).max(1_000).exactOptional().meta({ description: 'all of them, those in orders too' }),
  notes: text(2_000).default(''),
  quantity: Quantity.meta({ description: 'tickets for sale from now on, without those in orders' }),
  split_rule: ListingSplitRule,
  price: Money.meta({ description: 'US dollars per ticket, without fees; at most two decimals' }),
  fees: Money.meta({ description: 'US dollars per ticket; at most two decimals' }),
  wholesale_price: Money.meta({ description: 'US dollars per ticket in the wholesale variant; at most two decimals' }),
  tax_rate: Rate.default(0),
  tax_rates: z.record(Region, Rate).default({}).meta({ description: 'overrides tax_rate by country or country-state' }),
  delivery_methods: DeliveryMethods,
  confirmation: z.enum(['automatic', 'manual']).default('automatic'),
  confirm_within_minutes: z.int().min(1).max(43_200).exactOptional(),
  capture: z.enum(['confirmation', 'delivery']).nullish().meta({
    description:
      'when the payment is taken: once the order is confirmed, or once its tickets are sent; null or missing: as the setting CAPTURE says',
  }),
  in_hand_at: time.exactOptional().meta({ description: 'when the seller will have the tickets; orders are due then' }),
  ship_within_minutes: z
    .int()
    .min(1)
    .max(525_600)
    .exactOptional()
    .meta({ description: 'how long sending may take, from the confirmation or `in_hand_at`, whichever is later' }),
  market_specific_fields: MarketFields.exactOptional(),
  seller: Seller.exactOptional().meta({ description: 'who sells the tickets; a broker sees only own sellers' }),
  external_id: ExternalId.exactOptional().meta({ description: "the seller's own id, unique among its listings" }),
  speculative: z.boolean().default(false).meta({
    description:
      'the seller does not have the tickets yet: each order waits for the broker, `confirm_within_minutes` or a day',
  }),
};

/** What says something about the tickets, without `listing_id`. */
export const LISTING_FIELDS = Object.keys(fields) as readonly (keyof typeof fields)[];

type Confirmation = Readonly<{
  confirmation: 'automatic' | 'manual';
  confirm_within_minutes?: number;
  speculative: boolean;
}>;

function confirmsInTime({ confirmation, confirm_within_minutes: minutes, speculative }: Confirmation): boolean {
  return minutes === undefined || confirmation === 'manual' || speculative;
}

const ONLY_MANUAL = {
  path: ['confirm_within_minutes'],
  message: 'is only for manual confirmation, and for speculative listings',
};

const listingBody = z
  .strictObject({
    listing_id: z.string().exactOptional().meta({ description: 'if sent, it must equal the id in the path' }),
    ...fields,
    ...readOnlyFields('state', 'held', 'version', 'withdrawn_at', 'created_at', 'updated_at'),
  })
  .refine(confirmsInTime, ONLY_MANUAL)
  .meta({
    id: 'ListingBody',
    // zod omits `examples` from a transformed input.
    example: {
      event_id: '1001',
      section: '104',
      row: 'C',
      seats: ['5', '6', '7', '8'],
      notes: 'Aisle seats',
      quantity: 4,
      split_rule: 'no_single_left',
      price: 50,
      fees: 7.5,
      wholesale_price: 45,
      tax_rates: { 'US-NY': 0.08875 },
      delivery_methods: [
        { type: 'download', name: 'Mobile tickets', cost: 0 },
        { type: 'ship', name: 'Courier', cost: 15, costs: { US: 15, 'US-HI': 30 } },
      ],
      confirmation: 'manual',
      confirm_within_minutes: 60,
    },
  });

/** Body of PUT /backoffice/v1/listings/{listing_id}. */
export const ListingBody = z.preprocess(withoutNulls, listingBody);
export type ListingBody = z.infer<typeof ListingBody>;

/** Body of PATCH /backoffice/v1/listings/{listing_id}. What is left out stays; the result must be a valid listing. */
export const ListingChange = z.record(z.string(), z.unknown()).meta({
  id: 'ListingChange',
  description: 'fields of a listing; null removes an optional one, and without `quantity` the stock stays as it is',
  example: { price: 55, notes: 'Aisle seats' },
});
export type ListingChange = z.infer<typeof ListingChange>;

/** One line of an import: the body of a PUT and the listing it is for. */
export const ListingLine = z.preprocess(
  withoutNulls,
  z.strictObject({ listing_id: ListingId, ...fields }).refine(confirmsInTime, ONLY_MANUAL),
);
export type ListingLine = z.infer<typeof ListingLine>;

/** Fields that an imported line has if it does not say otherwise. */
export const ListingDefaults = z.preprocess(withoutNulls, z.strictObject(fields).partial());

/** The answer to PUT, GET and DELETE. */
export const ListingDocument = z
  .strictObject({
    listing_id: ListingId,
    ...fields,
    state: z.enum(LISTING_STATES),
    held: z.int().min(0).meta({ description: 'tickets in orders that are neither declined nor returned to stock' }),
    version: z.int().min(1).meta({ description: 'counts changes of the listing, not its sales' }),
    withdrawn_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Listing' });
export type ListingDocument = z.infer<typeof ListingDocument>;
