import type { KnownOrder } from '#domain/order-state';
import { dollarsOf } from '#domain/money';
import type { OrderShow } from '#orders/order-shows';
import type { ComparedPurchase, CompellingEvidence } from '#payments/provider-events';
import type { ComparedOrder, EarlierOrder, SharedTrait } from './compared-order.js';
import { addressLine, type DisputedBuyer } from './disputed-buyers.js';

// Visa takes no fewer, and Stripe no more.
const LEAST_EARLIER = 2;
const MOST_EARLIER = 5;

export function sharedBy(a: DisputedBuyer, b: DisputedBuyer): SharedTrait[] {
  const isSame = (one: string | null, other: string | null) => one !== null && folded(one) === folded(other ?? '');
  return [
    ...(isSame(a.ip, b.ip) ? (['ip'] as const) : []),
    ...(isSame(addressLine(addressOf(a)), addressLine(addressOf(b))) ? (['address'] as const) : []),
    ...(isSame(a.email, b.email) ? (['email'] as const) : []),
  ];
}

/** Null if there are too few earlier orders that share the IP address and one thing more, paid with the same card. */
export function compellingEvidence(
  disputed: ComparedOrder,
  earlier: readonly EarlierOrder[],
): CompellingEvidence | null {
  const counted = earlier.flatMap(({ shares, ...other }) => {
    const { payment } = other.order;
    const isLike = shares.includes('ip') && shares.length > 1 && isSameCard(disputed.order, other.order);
    return isLike && payment.is === 'captured' ? [{ ...purchaseOf(other), payment: payment.reference }] : [];
  });
  if (counted.length < LEAST_EARLIER) return null;
  return { disputed: purchaseOf(disputed), earlier: counted.slice(0, MOST_EARLIER) };
}

/** What was bought, on one line. */
export function productOf({ purchase }: KnownOrder, show: OrderShow | null): string {
  const { quantity, event_id: event } = purchase.product;
  const seats = [show?.section && `section ${show.section}`, show?.row && `row ${show.row}`].filter(Boolean).join(', ');
  const what = [show?.title ?? `event ${event}`, show?.venue, show?.city, show?.starts, seats].filter(Boolean);
  return `${quantity === 1 ? '1 ticket' : `${quantity} tickets`}: ${what.join(', ')}`;
}

/** Like `254.60 USD`. */
export function amountOf(cents: number, currency = 'USD'): string {
  return `${dollarsOf(cents).toFixed(2)} ${currency}`;
}

function purchaseOf({ order, buyer, show }: ComparedOrder): ComparedPurchase {
  return { email: buyer.email, ip: buyer.ip, address: addressOf(buyer), product: productOf(order, show) };
}

/** Tickets that are not sent by post have no other address than that of the card. */
const addressOf = ({ delivery, billing }: DisputedBuyer) => delivery ?? billing;

const folded = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** The provider and what is known of the card. A token says nothing: then the provider has the last word. */
function isSameCard(a: KnownOrder, b: KnownOrder): boolean {
  const [one, other] = [a.purchase.payment, b.purchase.payment];
  const isSameProvider =
    'provider' in a.payment && 'provider' in b.payment && a.payment.provider === b.payment.provider;
  if (!one || !other || !isSameProvider) return false;
  return one.last_four === null || other.last_four === null || one.last_four === other.last_four;
}
