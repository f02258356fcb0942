import { multiply, share, type Cents, type Rate } from './money.js';

/** What a listing costs; amounts for one ticket, in cents. Keys of `taxRates` and `costsCents` are places: `US-NY`, or `US` for the whole country. */
export type Prices = Readonly<{
  priceCents: Cents;
  feesCents: Cents;
  wholesalePriceCents: Cents;
  taxRate: Rate;
  taxRates: Readonly<Record<string, Rate>>;
  deliveryMethods: readonly DeliveryMethod[];
}>;

/** The ways of delivery that there are (contract, section 4 "delivery_methods"). */
export type DeliveryType = 'ship' | 'download' | 'transfer' | 'will_call';

/** A way of delivery. `costCents` is for the whole purchase; where `costsCents` is given, only its places are delivered to, at its costs. */
export type DeliveryMethod = Readonly<{
  type: DeliveryType;
  name: string;
  costCents: Cents;
  costsCents?: Readonly<Record<string, Cents>> | undefined;
}>;

/** ISO 3166 codes of country and state, in either case. A state without its country says nothing. */
export type Place = Readonly<{ country?: string | undefined; state?: string | undefined }>;

/** A delivery method with the one cost it has at the place asked about. */
export type OfferedDelivery = Readonly<{ type: DeliveryType; name: string; costCents: Cents }>;

/** What a lookup shows: price and fees for one ticket, tax for all tickets of the quantity. */
export type Quote = Readonly<{
  priceCents: Cents;
  feesCents: Cents;
  taxCents: Cents;
  deliveryMethods: readonly OfferedDelivery[];
}>;

/** What the buyer pays when the tickets are delivered by `delivery`. */
export type PaymentTotal = Readonly<{
  ticketsCents: Cents;
  taxCents: Cents;
  totalCents: Cents;
  delivery: OfferedDelivery;
}>;

/** The answer to a lookup of `quantity` tickets (one where none was given) to be sent to `place`. */
export function quote(prices: Prices, asked: Place & Readonly<{ quantity?: number | undefined }>): Quote {
  return {
    priceCents: prices.priceCents,
    feesCents: prices.feesCents,
    taxCents: tax(prices, asked.quantity ?? 1, asked),
    deliveryMethods: prices.deliveryMethods.flatMap((method) => offered(method, asked) ?? []),
  };
}

/**
 * The same for the wholesale variant: the wholesale price, and nothing beside it, so that `(price + fees) * quantity + tax + cost`
 * is the total there too.
 */
export function wholesaleQuote(prices: Prices, place: Place): Quote {
  const { deliveryMethods } = quote(prices, place);
  return {
    priceCents: prices.wholesalePriceCents,
    feesCents: 0,
    taxCents: 0,
    deliveryMethods: deliveryMethods.map((method) => ({ ...method, costCents: 0 })),
  };
}

/**
 * What a purchase with payment must be charged; null where the listing offers no delivery of that type to that address.
 * A purchase names its delivery by type alone: of two methods of a type, the first is meant.
 */
export function paymentTotal(
  prices: Prices,
  purchase: Readonly<{ quantity: number; delivery: Readonly<{ type: DeliveryType; address?: Place | undefined }> }>,
): PaymentTotal | null {
  const { type, address } = purchase.delivery;
  // Only a shipment has a place: everything else costs and is taxed as a lookup without country and state showed it.
  const place = type === 'ship' ? (address ?? {}) : {};
  const method = prices.deliveryMethods.find((candidate) => candidate.type === type);
  const delivery = method && offered(method, place);
  if (!delivery) return null;
  const ticketsCents = multiply(prices.priceCents + prices.feesCents, purchase.quantity);
  const taxCents = tax(prices, purchase.quantity, place);
  return { ticketsCents, taxCents, totalCents: ticketsCents + taxCents + delivery.costCents, delivery };
}

/** What a wholesale purchase must carry as its total: no fees, no tax, no delivery. */
export function wholesaleTotal(prices: Prices, quantity: number): Cents {
  return multiply(prices.wholesalePriceCents, quantity);
}

/** Price and fees are taxed, delivery is not: a lookup shows one tax beside all delivery methods. Rounded once, over all tickets. */
function tax(prices: Prices, quantity: number, place: Place): Cents {
  const rate = atPlace(prices.taxRates, place) ?? prices.taxRate;
  return share(rate, multiply(prices.priceCents + prices.feesCents, quantity));
}

function offered(method: DeliveryMethod, place: Place): OfferedDelivery | null {
  const { type, name, costCents, costsCents } = method;
  // Nobody has said where to: the plain cost is what can be shown until somebody does.
  if (!costsCents || !place.country) return { type, name, costCents };
  const cost = atPlace(costsCents, place);
  return cost === undefined ? null : { type, name, costCents: cost };
}

/** The value for the place: the one of its state before the one of its country. */
function atPlace<T>(values: Readonly<Record<string, T>>, { country, state }: Place): T | undefined {
  if (!country) return undefined;
  const ofCountry = country.toUpperCase();
  const ofState = state ? `${ofCountry}-${state.toUpperCase()}` : ofCountry;
  const entries = Object.entries(values).map(([key, value]) => ({ key: key.toUpperCase(), value }));
  return (entries.find(({ key }) => key === ofState) ?? entries.find(({ key }) => key === ofCountry))?.value;
}
