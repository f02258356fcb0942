import type { Answer, TimeoutError } from '#client/checkout-calls';
import { CheckoutListing } from '#listings/checkout-listing.contract';
import { describeIssues } from '#web/issues.contract';
import { centsOf, type Cents } from '#domain/money';
import type { DeliveryType } from '#domain/pricing';
import { UserError } from '../terminal/user-error.js';
import type { Call } from './call.js';
import { type Bill, billOf, type Selection, paymentBody, type Place, wholesaleBody } from '#sandbox/purchase-request';

export type BuyOptions = Place &
  Readonly<{
    event: string;
    quantity: number;
    variant?: 'payment' | 'wholesale';
    total?: number;
    card: string;
    cvv: string;
    token?: string;
    tokenType: string;
    delivery?: DeliveryType;
    refId?: string;
    trusted?: boolean;
  }>;

/** Looks up the listing and buys from it. `now` is in milliseconds since the epoch. @returns the exit code. */
export async function buy(call: Call, listingId: string, options: BuyOptions, now: number): Promise<number> {
  return call.conversation.finish(await submit(call, listingId, options, now));
}

/** Does the same. @returns the answer to the purchase, or to the lookup if that was refused. */
export async function submit(
  call: Call,
  listingId: string,
  options: BuyOptions,
  now: number,
): Promise<Answer | TimeoutError> {
  const { client, conversation, transactionId } = call;
  const { event: eventId, quantity, refId, trusted } = options;
  const choice: Selection = { listingId, eventId, quantity, refId, trusted };
  const total = options.total === undefined ? undefined : centsIn(options.total);
  const found = await lookUp(call, choice, options);
  if ('refused' in found) return found.refused;
  if (options.variant === 'wholesale') {
    const due = total ?? billOf(found.listing, quantity, found.delivery).total;
    return await client.buy(wholesaleBody(choice, due), { transactionId });
  }
  const bill = billOf(found.listing, quantity, found.delivery);
  conversation.print(`  ${describeBill(bill, quantity)}`);
  const paid = { total: total ?? bill.total, method: paymentMethod(options, now), place: placeOf(options) };
  const body = paymentBody(choice, { ...paid, delivery: found.delivery });
  return await client.buy(body, { transactionId });
}

type Found = Readonly<{ listing: CheckoutListing; delivery: DeliveryType }>;

async function lookUp(
  { client, transactionId }: Call,
  { listingId, eventId, quantity }: Selection,
  { delivery: wanted, country, state }: BuyOptions,
): Promise<Found | Readonly<{ refused: Answer | TimeoutError }>> {
  const query = { event_id: eventId, quantity: String(quantity) };
  const first = await client.lookup(listingId, query, { transactionId });
  if (!isOk(first)) return { refused: first };
  const listing = listingIn(first);
  const delivery = wanted ?? listing.delivery_methods[0]?.type;
  if (!delivery) throw new UserError('The listing is not delivered at all.');
  if (delivery !== 'ship') return { listing, delivery };
  // Price and tax depend on the place for shipped tickets only.
  const withPlace = await client.lookup(listingId, { ...query, country, state }, { transactionId });
  return isOk(withPlace) ? { listing: listingIn(withPlace), delivery } : { refused: withPlace };
}

function isOk(outcome: Answer | TimeoutError): outcome is Answer {
  return outcome.answered && outcome.status === 200;
}

function listingIn({ body }: Answer): CheckoutListing {
  const { success, data, error } = CheckoutListing.safeParse(body);
  if (!success) throw new UserError(`The answer is no listing: ${describeIssues(error.issues)}`);
  return data;
}

function centsIn(dollars: number): Cents {
  const amount = centsOf(dollars);
  if (amount === null) throw new UserError('--total must be dollars with at most two decimals.');
  return amount;
}

function paymentMethod({ token, tokenType, card, cvv }: BuyOptions, now: number) {
  if (token !== undefined) return { token, type: tokenType };
  return { card, cvv, year: new Date(now).getUTCFullYear() + 2 };
}

function placeOf({ country, state, city, zip }: BuyOptions): Place {
  return { country, state, city, zip };
}

function describeBill({ price, fees, tax, delivery, total }: Bill, quantity: number): string {
  const [each, fee, taxes, cost, sum] = [price, fees, tax, delivery, total].map((cents) => (cents / 100).toFixed(2));
  return `(${each} + ${fee} fees) x ${quantity} + ${taxes} tax + ${cost} delivery = ${sum}`;
}
