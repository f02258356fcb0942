import type { PurchaseParts } from './payment-events.js';
import { multiply, share, type Cents, type Rate } from './money.js';

/** In cents for one ticket. Keys of `taxRates` and `costsCents` are places: `US-NY`, or `US` for the whole country. */
export type Prices = Readonly<{
  priceCents: Cents;
  feesCents: Cents;
  wholesalePriceCents: Cents;
  taxRate: Rate;
  taxRates: Readonly<Record<string, Rate>>;
  deliveryMethods: readonly DeliveryMethod[];
}>;

/** Contract, section 4 "delivery_methods". */
export type DeliveryType = 'ship' | 'download' | 'transfer' | 'will_call';

/** What a seller has to send: of a `download` files, links or barcodes; of `ship` an own parcel, or one with our label. */
export const DELIVERY_FORMS = ['files', 'links', 'barcodes', 'own', 'label'] as const;
export type DeliveryForm = (typeof DELIVERY_FORMS)[number];

/** `costCents` is for the whole purchase. With `costsCents`, the seller delivers only to its places, at its costs. */
export type DeliveryMethod = Readonly<{
  type: DeliveryType;
  name: string;
  /** Missing: `files` of a download, `own` of a shipment. */
  form?: DeliveryForm | undefined;
  costCents: Cents;
  costsCents?: Readonly<Record<string, Cents>> | undefined;
}>;

/** ISO 3166 codes of country and state, in either case. A state without a country has no effect. */
export type Place = Readonly<{ country?: string | undefined; state?: string | undefined }>;

type OfferedDelivery = Readonly<{ type: DeliveryType; name: string; costCents: Cents }>;

/** Price and fees are for one ticket, the tax for the whole quantity. */
export type Quote = Readonly<{
  priceCents: Cents;
  feesCents: Cents;
  taxCents: Cents;
  deliveryMethods: readonly OfferedDelivery[];
}>;

/** In cents. */
export type PaymentTotal = Readonly<{
  ticketsCents: Cents;
  taxCents: Cents;
  totalCents: Cents;
  delivery: OfferedDelivery;
}>;

export function quote(prices: Prices, request: Place & Readonly<{ quantity?: number | undefined }>): Quote {
  return {
    priceCents: prices.priceCents,
    feesCents: prices.feesCents,
    taxCents: tax(prices, request.quantity ?? 1, request),
    deliveryMethods: prices.deliveryMethods.flatMap((method) => offeredAt(method, request) ?? []),
  };
}

/** Only the wholesale price. So `(price + fees) * quantity + tax + cost` is the total there too. */
export function wholesaleQuote(prices: Prices, place: Place): Quote {
  const { deliveryMethods } = quote(prices, place);
  return {
    priceCents: prices.wholesalePriceCents,
    feesCents: 0,
    taxCents: 0,
    deliveryMethods: deliveryMethods.map((method) => ({ ...method, costCents: 0 })),
  };
}

/** Null when the listing has no delivery of that type to that address. A purchase names only the type, so its first method counts. */
export function paymentTotal(
  prices: Prices,
  purchase: Readonly<{ quantity: number; delivery: Readonly<{ type: DeliveryType; address?: Place | undefined }> }>,
): PaymentTotal | null {
  const { type, address } = purchase.delivery;
  // Only a shipment has a place. All other types cost the same, and have the same tax, as a lookup without country and state.
  const place = type === 'ship' ? (address ?? {}) : {};
  const method = prices.deliveryMethods.find((candidate) => candidate.type === type);
  const delivery = method && offeredAt(method, place);
  if (!delivery) return null;
  const ticketsCents = multiply(prices.priceCents + prices.feesCents, purchase.quantity);
  const taxCents = tax(prices, purchase.quantity, place);
  return { ticketsCents, taxCents, totalCents: ticketsCents + taxCents + delivery.costCents, delivery };
}

/** The same in the parts of the ledger. */
export function paymentParts(prices: Prices, purchase: Parameters<typeof paymentTotal>[1]): PurchaseParts | null {
  const total = paymentTotal(prices, purchase);
  if (!total) return null;
  const { quantity } = purchase;
  return {
    price_cents: multiply(prices.priceCents, quantity),
    fees_cents: multiply(prices.feesCents, quantity),
    delivery_cents: total.delivery.costCents,
    tax_cents: total.taxCents,
  };
}

/**
 * In cents: what other tickets would have cost the buyer of a purchase, with its delivery and its address. A listing that has no such
 * delivery charges nothing for one.
 */
export function replacementParts(prices: Prices, purchase: Parameters<typeof paymentTotal>[1]): PurchaseParts {
  const parts = paymentParts(prices, purchase);
  if (parts) return parts;
  const { quantity, delivery } = purchase;
  const place = delivery.type === 'ship' ? (delivery.address ?? {}) : {};
  return {
    price_cents: multiply(prices.priceCents, quantity),
    fees_cents: multiply(prices.feesCents, quantity),
    delivery_cents: 0,
    tax_cents: tax(prices, quantity, place),
  };
}

/** In cents: no fees, no tax, no delivery. */
export function wholesaleTotal(prices: Prices, quantity: number): Cents {
  return multiply(prices.wholesalePriceCents, quantity);
}

/** The tax applies to price and fees, not to delivery: a lookup shows one tax for all delivery methods. It is rounded once, over all tickets. */
function tax(prices: Prices, quantity: number, place: Place): Cents {
  const rate = atPlace(prices.taxRates, place) ?? prices.taxRate;
  return share(rate, multiply(prices.priceCents + prices.feesCents, quantity));
}

function offeredAt(method: DeliveryMethod, place: Place): OfferedDelivery | null {
  const { type, name, costCents, costsCents } = method;
  // Without a place, the lookup shows the plain cost.
  if (!costsCents || !place.country) return { type, name, costCents };
  const cost = atPlace(costsCents, place);
  return cost === undefined ? null : { type, name, costCents: cost };
}

/** The state's value wins over the country's. */
function atPlace<T>(values: Readonly<Record<string, T>>, { country, state }: Place): T | undefined {
  if (!country) return undefined;
  const ofCountry = country.toUpperCase();
  const ofState = state ? `${ofCountry}-${state.toUpperCase()}` : ofCountry;
  const entries = Object.entries(values).map(([key, value]) => ({ key: key.toUpperCase(), value }));
  return (entries.find(({ key }) => key === ofState) ?? entries.find(({ key }) => key === ofCountry))?.value;
}
