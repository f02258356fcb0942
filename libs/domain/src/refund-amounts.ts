import type { PurchaseParts, RefundLine, RefundReason } from './payment-events.js';
import { isOpenRefund } from './payment-amounts.js';
import type { KnownOrder } from './order-state.js';
import type { Refund } from './payment-state.js';
import { sellerAccount, withoutParts } from './purchase-parts.js';

/** Cents and who bears them. The lines add up to the amount. */
export type RefundShare = Readonly<{ amount_cents: number; lines: readonly RefundLine[] }>;

/**
 * For `quantity` tickets of a purchase: price, fees and tax, each ticket an equal share, half up to the cent, without delivery. The last
 * tickets take what is left. With `keepFees`, price and tax only. Undefined if so many tickets are not there any more.
 */
export function refundOfTickets(
  order: KnownOrder,
  quantity: number,
  { keepFees, reason }: Readonly<{ keepFees: boolean; reason: RefundReason }>,
): RefundShare | undefined {
  const { product } = order.purchase;
  const left = product.quantity - refundedTickets(order);
  if (quantity < 1 || quantity > left) return undefined;
  const parts = partAccounts(order).filter(
    ({ part }) => part !== 'delivery_cents' && !(keepFees && part === 'fees_cents'),
  );
  if (quantity === left) return shareOf(lastOf(order, parts), reason);
  const whole = parts.reduce((sum, { cents }) => sum + cents, 0);
  const amount = Number(
    (2n * BigInt(whole) * BigInt(quantity) + BigInt(product.quantity)) / (2n * BigInt(product.quantity)),
  );
  return shareOf(apportioned(amount, parts), reason);
}

/** For an amount: the seller bears it up to what is left of its part, then fees, tax and delivery. */
export function refundOfAmount(order: KnownOrder, cents: number, reason: RefundReason): RefundShare {
  let rest = cents;
  const lines = partAccounts(order).map(({ account, left }) => {
    const amount = Math.min(rest, Math.max(0, left));
    rest -= amount;
    return { account, amount_cents: amount };
  });
  return shareOf([...lines, { account: 'losses', amount_cents: rest }], reason);
}

/** How many tickets were refunded, or are about to be. */
export function refundedTickets({ refunds }: KnownOrder): number {
  return refunds.filter(counts).reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

function counts(refund: Refund): boolean {
  return isOpenRefund(refund) || refund.state === 'succeeded';
}

/** What is left of the parts, also without the tickets that goodwill paid for. */
function lastOf({ refunds }: KnownOrder, parts: readonly PartAccount[]): RefundLine[] {
  const ofGoodwill = refunds.filter(({ reason, quantity }) => reason === 'goodwill' && quantity !== null);
  const paid = ofGoodwill.filter(counts).flatMap(({ amount_cents: cents }) => apportioned(cents, parts));
  return parts.map(({ account, left }) => {
    const paidOf = paid.filter((line) => line.account === account);
    return { account, amount_cents: paidOf.reduce((rest, line) => rest - line.amount_cents, left) };
  });
}

function shareOf(lines: readonly RefundLine[], reason: RefundReason): RefundShare {
  const amount = lines.reduce((sum, { amount_cents: cents }) => sum + cents, 0);
  // Goodwill is nobody's fault: neither the seller nor anybody else of the sale pays for it.
  if (reason === 'goodwill') return { amount_cents: amount, lines: [{ account: 'losses', amount_cents: amount }] };
  return { amount_cents: amount, lines: lines.filter(({ amount_cents: cents }) => cents !== 0) };
}

type PartAccount = Readonly<{ part: keyof PurchaseParts; account: string; cents: number; left: number }>;

/** The parts of the purchase in the order in which they bear a refund. `left`: what no refund has taken. */
function partAccounts(order: KnownOrder): readonly PartAccount[] {
  const { purchase } = order;
  const { price_cents, fees_cents, tax_cents, delivery_cents } = purchase.parts ?? withoutParts(purchase.total_cents);
  const taken = takenFrom(order);
  const part = (name: keyof PurchaseParts, account: string, cents: number, gone: number): PartAccount => {
    return { part: name, account, cents, left: cents - gone };
  };
  const ofSellers = [...taken].filter(([account]) => account.startsWith('seller:'));
  return [
    part(
      'price_cents',
      sellerAccount(purchase.seller),
      price_cents,
      ofSellers.reduce((sum, [, cents]) => sum + cents, 0),
    ),
    part('fees_cents', 'fees', fees_cents, taken.get('fees') ?? 0),
    part('tax_cents', 'tax', tax_cents, taken.get('tax') ?? 0),
    part('delivery_cents', 'delivery', delivery_cents, taken.get('delivery') ?? 0),
  ];
}

function takenFrom({ refunds }: KnownOrder): Map<string, number> {
  const taken = new Map<string, number>();
  for (const refund of refunds.filter(counts)) {
    for (const { account, amount_cents: cents } of refund.lines) taken.set(account, (taken.get(account) ?? 0) + cents);
  }
  return taken;
}

/** Each part its share, rounded down, and the cents that are left to the largest fractions: the lines add up to the amount. */
function apportioned(amount: number, parts: readonly PartAccount[]): RefundLine[] {
  const whole = BigInt(parts.reduce((sum, { cents }) => sum + cents, 0));
  if (whole === 0n) return [];
  const shares = parts.map(({ account, cents }) => {
    const exact = BigInt(amount) * BigInt(cents);
    return { account, floor: exact / whole, fraction: exact % whole };
  });
  const missing = amount - shares.reduce((sum, { floor }) => sum + Number(floor), 0);
  const byFraction = shares.toSorted((a, b) => (a.fraction === b.fraction ? 0 : a.fraction > b.fraction ? -1 : 1));
  const topped = new Set(byFraction.slice(0, missing).map(({ account }) => account));
  return shares.map(({ account, floor }) => ({ account, amount_cents: Number(floor) + (topped.has(account) ? 1 : 0) }));
}
