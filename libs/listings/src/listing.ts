import type { ListingBody, ListingDocument } from './listing.contract.js';
import { type Cents, centsOf, dollarsOf } from '#domain/money';
import type { DeliveryMethod, Prices } from '#domain/pricing';
import type { SplitRule } from '#domain/splits';

/** Stored as one JSON document in exactly this form. Amounts are in cents. */
export type ListingTerms = Prices &
  Readonly<{
    eventId: string;
    section: string;
    row: string;
    seats?: readonly string[];
    notes: string;
    splitRule: SplitRule;
    confirmation: 'automatic' | 'manual';
    confirmWithinMinutes?: number;
    /** When the payment is taken. Missing: as the settings say. */
    capture?: 'confirmation' | 'delivery';
    /** ISO 8601. `work_items` reads this and the next field for the due time of an order. */
    inHandAt?: string;
    shipWithinMinutes?: number;
    marketSpecificFields?: Readonly<Record<string, unknown>>;
    /** Who sells the tickets. A broker sees the listings and orders of own sellers only. */
    seller?: string;
    /** The seller's own id of the listing, unique among the listings of the seller. */
    externalId?: string;
    /** The seller does not have the tickets yet. */
    speculative?: true;
  }>;

export type Listing = ListingTerms &
  Readonly<{
    id: string;
    /** Counts changes by the seller, not sales. A purchase takes stock only of the version that set its price. */
    version: number;
    available: number;
    /** Tickets for sale plus tickets in orders; `offered - available` is what orders hold. */
    offered: number;
    /** The named seats that orders have. They may be names that the seller has replaced since. */
    heldSeats: readonly string[];
    withdrawnAt: Date | null;
  }>;

/** For the back office. */
export type StoredListing = Listing & Readonly<{ createdAt: Date; updatedAt: Date }>;

/** Without `quantity`, which is stock. */
export function termsOf(body: ListingBody): ListingTerms {
  return {
    eventId: body.event_id,
    section: body.section,
    row: body.row,
    ...(body.seats && { seats: body.seats }),
    notes: body.notes,
    splitRule: body.split_rule,
    priceCents: cents(body.price),
    feesCents: cents(body.fees),
    wholesalePriceCents: cents(body.wholesale_price),
    taxRate: body.tax_rate,
    taxRates: body.tax_rates,
    deliveryMethods: body.delivery_methods.map(({ type, name, form, cost, costs }) => ({
      type,
      name,
      ...(form && { form }),
      costCents: cents(cost),
      ...(costs && { costsCents: mapValues(costs, cents) }),
    })),
    confirmation: body.confirmation,
    ...(body.confirm_within_minutes && { confirmWithinMinutes: body.confirm_within_minutes }),
    ...(body.capture && { capture: body.capture }),
    ...(body.in_hand_at !== undefined && { inHandAt: body.in_hand_at }),
    ...(body.ship_within_minutes !== undefined && { shipWithinMinutes: body.ship_within_minutes }),
    ...(body.market_specific_fields && { marketSpecificFields: body.market_specific_fields }),
    ...(body.seller !== undefined && { seller: body.seller }),
    ...(body.external_id !== undefined && { externalId: body.external_id }),
    ...(body.speculative && { speculative: true }),
  };
}

export function documentOf(listing: StoredListing): ListingDocument {
  return {
    listing_id: listing.id,
    event_id: listing.eventId,
    section: listing.section,
    row: listing.row,
    ...(listing.seats && { seats: [...listing.seats] }),
    notes: listing.notes,
    quantity: listing.available,
    split_rule: typeof listing.splitRule === 'string' ? listing.splitRule : [...listing.splitRule],
    price: dollarsOf(listing.priceCents),
    fees: dollarsOf(listing.feesCents),
    wholesale_price: dollarsOf(listing.wholesalePriceCents),
    tax_rate: Number(listing.taxRate),
    tax_rates: mapValues(listing.taxRates, Number),
    delivery_methods: listing.deliveryMethods.map(deliveryDocument),
    confirmation: listing.confirmation,
    ...(listing.confirmWithinMinutes && { confirm_within_minutes: listing.confirmWithinMinutes }),
    ...(listing.capture && { capture: listing.capture }),
    ...(listing.inHandAt !== undefined && { in_hand_at: listing.inHandAt }),
    ...(listing.shipWithinMinutes !== undefined && { ship_within_minutes: listing.shipWithinMinutes }),
    ...(listing.marketSpecificFields && { market_specific_fields: { ...listing.marketSpecificFields } }),
    ...(listing.seller !== undefined && { seller: listing.seller }),
    ...(listing.externalId !== undefined && { external_id: listing.externalId }),
    speculative: listing.speculative ?? false,
    state: stateOf(listing),
    held: listing.offered - listing.available,
    version: listing.version,
    withdrawn_at: listing.withdrawnAt?.toISOString() ?? null,
    created_at: listing.createdAt.toISOString(),
    updated_at: listing.updatedAt.toISOString(),
  };
}

function stateOf({ withdrawnAt, available }: Listing): ListingDocument['state'] {
  if (withdrawnAt !== null) return 'withdrawn';
  return available > 0 ? 'on_sale' : 'sold_out';
}

function deliveryDocument({ type, name, form, costCents, costsCents }: DeliveryMethod) {
  return {
    type,
    name,
    ...(form && { form }),
    cost: dollarsOf(costCents),
    ...(costsCents && { costs: mapValues(costsCents, dollarsOf) }),
  };
}

function cents(dollars: number): Cents {
  const amount = centsOf(dollars);
  if (amount === null) throw new RangeError('The schema let an amount with a fraction of a cent pass.');
  return amount;
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]));
}
