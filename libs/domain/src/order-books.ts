import { isStatusEvent, type OrderEvent, type ReceivedPurchase } from './order-events.js';
import { movesMoney, paymentAmounts } from './payment-amounts.js';
import type { Payments } from './payment-state.js';
import { sellerAccount, totalOf, withoutParts } from './purchase-parts.js';
import type { Status } from './status.js';

/** One entry of the ledger. Debit is positive. In cents of the order's currency. */
export type LedgerEntry = Readonly<{ account: string; amount_cents: number }>;

/**
 * What an order has in the ledger. `sale`: the entries of its sale; null until it is confirmed for the first time. `balances`: by account.
 * `entries`: those of the last event, which add up to 0.
 */
export type OrderBooks = Readonly<{
  sale: readonly LedgerEntry[] | null;
  balances: Readonly<Record<string, number>>;
  entries: readonly LedgerEntry[];
}>;

export const NO_BOOKS: OrderBooks = { sale: null, balances: {}, entries: [] };

/** An order after an event, with its books as they were before it. */
type BookedOrder = Payments & Readonly<{ purchase: ReceivedPurchase; status: Status | null; books: OrderBooks }>;

/** The books after the event that led to this order (contract for money, "Ledger"). */
export function booksAfter(order: BookedOrder, event: OrderEvent): OrderBooks {
  const { books } = order;
  const { sale = books.sale, entries } = posted(order, event);
  const added = summed(entries);
  if (added.length === 0) return books.entries.length === 0 ? books : { ...books, sale, entries: [] };
  const balances = { ...books.balances };
  for (const { account, amount_cents: cents } of added) balances[account] = (balances[account] ?? 0) + cents;
  return { sale, balances, entries: added };
}

/** ISO 4217. An event that moves money says in which one. */
export function currencyOf({ purchase }: Pick<BookedOrder, 'purchase'>, { data }: OrderEvent): string {
  return ('currency' in data ? data.currency : undefined) ?? purchase.currency ?? 'USD';
}

type Posted = Readonly<{ sale?: readonly LedgerEntry[]; entries: readonly LedgerEntry[] }>;

const NOTHING: Posted = { entries: [] };

function posted(order: BookedOrder, event: OrderEvent): Posted {
  if (isStatusEvent(event)) {
    if (event.type === 'ReplacementAccepted' && order.books.sale) return replacedSale(order, order.books.sale);
    if (event.data.status.status === 'confirmed' && !order.books.sale) return firstSale(order);
    if (event.data.status.status === 'rejected' && order.books.sale) return { entries: reversedSale(order) };
    return NOTHING;
  }
  return { entries: moneyEntries(order, event) };
}

function moneyEntries(order: BookedOrder, event: Exclude<OrderEvent, { data: { status: Status } }>): LedgerEntry[] {
  const provider = providerAccount(order);
  switch (event.type) {
    case 'PaymentAuthorised':
      // Versions before captures took the money at once.
      return event.data.currency === undefined ? moved(provider, 'buyer', event.data.amount_cents) : [];
    case 'PaymentCaptured':
      return moved(`provider:${event.data.provider}`, 'buyer', event.data.amount_cents);
    case 'PaymentReleased': {
      const { payment } = order;
      const isTaken = payment.is === 'released' && payment.released_how !== undefined;
      return isTaken ? moved('buyer', provider, payment.captured_cents - (payment.refunded_parts_cents ?? 0)) : [];
    }
    case 'PaymentPartlyReleased':
      return (order.books.balances[provider] ?? 0) > 0 ? moved('buyer', provider, event.data.amount_cents) : [];
    case 'RefundSucceeded':
      return [...refundEntries(order, event.data.refund_id, 1)];
    case 'RefundFailed':
      return hadSucceeded(order, event.data.refund_id) ? refundEntries(order, event.data.refund_id, -1) : [];
    case 'DisputeOpened':
      return movesMoney(event.data) ? moved('disputes', provider, event.data.amount_cents) : [];
    case 'DisputeClosed':
      return disputeClosed(order, event.data.dispute_id, event.data.state);
    case 'ProviderFeeCharged':
      return moved('provider_fees', `provider:${event.data.provider}`, event.data.amount_cents);
    case 'RemittanceMatched':
      return moved('bank', `client:${event.data.client_id}`, event.data.amount_cents);
    case 'SampleRemoved':
      // Counter-entries, so that no balance has what was invented.
      return Object.entries(order.books.balances).map(([account, cents]) => ({ account, amount_cents: -cents }));
    default:
      return [];
  }
}

/** Two entries that move cents from one account to another. */
export function moved(to: string, from: string, cents: number): LedgerEntry[] {
  return [
    { account: to, amount_cents: cents },
    { account: from, amount_cents: -cents },
  ];
}

function providerAccount({ payment }: Payments): string {
  return 'provider' in payment ? `provider:${payment.provider}` : 'provider:none';
}

function firstSale(order: BookedOrder): Posted {
  const sale = saleOf(order.purchase);
  return { sale, entries: sale };
}

/** What is dearer than the buyer paid is a loss of ours. */
function saleOf(purchase: ReceivedPurchase): LedgerEntry[] {
  const { total_cents: total, seller } = purchase;
  if (purchase.payment === null) return moved(`client:${purchase.client_id}`, sellerAccount(seller), total);
  const parts = purchase.parts ?? withoutParts(total);
  const { price_cents, fees_cents, delivery_cents, tax_cents } = parts;
  return [
    { account: 'buyer', amount_cents: total },
    { account: sellerAccount(seller), amount_cents: -price_cents },
    { account: 'fees', amount_cents: -fees_cents },
    { account: 'delivery', amount_cents: -delivery_cents },
    { account: 'tax', amount_cents: -tax_cents },
    { account: 'losses', amount_cents: totalOf(parts) - total },
  ];
}

/** The new sale in place of the old one. A refund that was made stays with the seller who bore it. */
function replacedSale(order: BookedOrder, old: readonly LedgerEntry[]): Posted {
  const sale = saleOf(order.purchase);
  return { sale, entries: [...reversed(old), ...sale] };
}

function reversed(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return entries.map(({ account, amount_cents: cents }) => ({ account, amount_cents: -cents }));
}

/** What is left of the sale goes. The buyer stands at what we still have of the payment, and the rest is a loss. */
function reversedSale(order: BookedOrder): LedgerEntry[] {
  const { balances, sale } = order.books;
  if (order.purchase.payment === null) return reversed(sale ?? []);
  const ofSale = Object.entries(balances).filter(([account]) => isOfSale(account));
  const entries = ofSale.map(([account, cents]): LedgerEntry => ({ account, amount_cents: -cents }));
  const { captured, refunded, lost } = paymentAmounts(order);
  const buyer = { account: 'buyer', amount_cents: -(captured - refunded - lost) - (balances['buyer'] ?? 0) };
  const rest = [...entries, buyer].reduce((sum, { amount_cents: cents }) => sum + cents, 0);
  return [...entries, buyer, { account: 'losses', amount_cents: -rest }];
}

const PARTS = ['fees', 'delivery', 'tax'];

function isOfSale(account: string): boolean {
  return PARTS.includes(account) || account.startsWith('seller:');
}

/** @param sign 1 when the refund succeeds, -1 when it fails after that */
function refundEntries(order: BookedOrder, refundId: string, sign: 1 | -1): LedgerEntry[] {
  const refund = order.refunds.find(({ id }) => id === refundId);
  if (!refund) return [];
  const byBuyer = refund.origin === 'order' || order.status?.status === 'rejected';
  const lines = byBuyer ? [{ account: 'buyer', amount_cents: refund.amount_cents }] : refund.lines;
  const provider = { account: providerAccount(order), amount_cents: -sign * refund.amount_cents };
  return [provider, ...lines.map(({ account, amount_cents: cents }) => ({ account, amount_cents: sign * cents }))];
}

function hadSucceeded({ refunds }: Payments, refundId: string): boolean {
  return refunds.some(({ id, succeeded_at: at }) => id === refundId && at !== null);
}

function disputeClosed(order: BookedOrder, id: string, state: 'won' | 'lost' | 'withdrawn'): LedgerEntry[] {
  const dispute = order.disputes.find(({ dispute_id: one }) => one === id);
  if (!dispute || !movesMoney(dispute)) return [];
  if (state !== 'lost') return moved(providerAccount(order), 'disputes', dispute.amount_cents);
  const isRejected = order.status?.status === 'rejected';
  return moved(isRejected ? 'buyer' : 'losses', 'disputes', dispute.amount_cents);
}

/** One entry an account, without those of 0. */
function summed(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const sums = new Map<string, number>();
  for (const { account, amount_cents: cents } of entries) sums.set(account, (sums.get(account) ?? 0) + cents);
  return [...sums].filter(([, cents]) => cents !== 0).map(([account, cents]) => ({ account, amount_cents: cents }));
}
