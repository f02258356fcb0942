import type { CheckoutListing } from '#listings/checkout-listing.contract';
import { type Cents, centsOf, dollarsOf, multiply } from '#domain/money';
import type { DeliveryType } from '#domain/pricing';

/** Nobody can buy such tickets like this. Its message says why. */
export class UnbuyableListing extends Error {}

/** What to buy. Texts are sent as they are. */
export type Selection = Readonly<{
  listingId: string;
  eventId: string;
  quantity: number;
  refId?: string | undefined;
  trusted?: boolean | undefined;
}>;

export type Place = Readonly<{ country: string; state: string; city: string; zip: string }>;

export type PaymentDetails = Readonly<{
  total: Cents;
  method: Readonly<{ card: string; cvv: string; year: number }> | Readonly<{ token: string; type: string }>;
  delivery: DeliveryType;
  place: Place;
}>;

/** The parts of the total of a payment, in cents. */
export type Bill = Readonly<{ price: Cents; fees: Cents; tax: Cents; delivery: Cents; total: Cents }>;

/** The total for the looked-up quantity and place (docs/platform.md). */
export function billOf(listing: CheckoutListing, quantity: number, delivery: DeliveryType): Bill {
  const method = listing.delivery_methods.find(({ type }) => type === delivery);
  if (!method) throw new UnbuyableListing(`The listing is not delivered by ${delivery} (there).`);
  const [price, fees] = [cents(listing.price), cents(listing.fees)];
  const [tax, cost] = [cents(listing.tax), cents(method.cost)];
  return { price, fees, tax, delivery: cost, total: multiply(price + fees, quantity) + tax + cost };
}

function cents(dollars: number): Cents {
  const amount = centsOf(dollars);
  if (amount === null) throw new UnbuyableListing('The listing has an amount with a fraction of a cent.');
  return amount;
}

/** Body of a purchase in the payment variant. */
export function paymentBody(choice: Selection, { total, method, delivery, place }: PaymentDetails): object {
  const billing = { ...BUYER, address1: '12 Main St', ...place };
  const { type, data } =
    'card' in method
      ? { type: 'creditcard', data: cardData(method) }
      : { type: method.type, data: { token: method.token } };
  return {
    product: product(choice),
    user: { email: EMAIL },
    payment: { total: dollarsOf(total), type, data: { ...data, ...billing } },
    delivery_method: { type: delivery, data: DELIVERY_DATA[delivery](place) },
    ...optionalFields(choice),
  };
}

/** Body of a purchase in the wholesale variant. */
export function wholesaleBody(choice: Selection, total: Cents): object {
  return {
    product: { ...product(choice), total: dollarsOf(total) },
    user: { email: EMAIL },
    ...optionalFields(choice),
  };
}

const BUYER = { first_name: 'Ada', last_name: 'Lovelace' };
const EMAIL = 'ada@example.com';

const DELIVERY_DATA: Readonly<Record<DeliveryType, (place: Place) => object>> = {
  ship: (place) => ({ ...BUYER, address1: '12 Main St', ...place, phone: '+1 617 555 0100' }),
  download: () => ({ email: EMAIL }),
  transfer: () => ({ email: EMAIL }),
  will_call: () => BUYER,
};

function cardData({ card, cvv, year }: Readonly<{ card: string; cvv: string; year: number }>): object {
  return { card_number: card, expiry_month: '12', expiry_year: String(year), cvv };
}

function product({ eventId, listingId, quantity }: Selection): object {
  return { event_id: eventId, listing_id: listingId, quantity };
}

function optionalFields({ refId, trusted }: Selection): object {
  return { ...(refId !== undefined && { ref_id: refId }), ...(trusted && { is_trusted_user: 'true' }) };
}
