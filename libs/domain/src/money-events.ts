import { type LedgerEntry, moved } from './order-books.js';
import { sellerAccount } from './purchase-parts.js';

/** `amount_cents` are hundredths of `currency` (ISO 4217). */
type Money = Readonly<{ amount_cents: number; currency: string }>;

/** Money that belongs to no order. */
export type MoneyEvent =
  /** `reference` is the provider's id of the payout, with `-failed` when it came back: less than 0. `arrives_on`: YYYY-MM-DD, UTC. */
  | {
      type: 'PayoutRecorded';
      data: Money & Readonly<{ provider: string; reference: string; arrives_on: string }>;
    }
  /** `reference` is that of the bank transfer. `paid_on`: YYYY-MM-DD. */
  | { type: 'SellerPaid'; data: Money & Readonly<{ seller: string; reference: string; paid_on: string }> };

/** What is known of a provider's payouts, or of a payment to a seller. `references`: those of the events so far. */
export type MoneyStream = Readonly<{ references: readonly string[] }>;

/** Every type, with what it says. */
export const MONEY_EVENTS: Readonly<Record<MoneyEvent['type'], string>> = {
  PayoutRecorded:
    'The provider paid out to the bank, or the payout came back if the amount is below 0. Each provider has one stream, `provider-` and its name.',
  SellerPaid:
    'A seller was paid. Each payment has a stream of its own, `seller-payment-` and its reference, so a reference is used once.',
};

function isMoneyEventType(type: string): type is MoneyEvent['type'] {
  return Object.hasOwn(MONEY_EVENTS, type);
}

/** Adds one event to what is known. */
function evolve({ references }: MoneyStream, { data }: MoneyEvent): MoneyStream {
  return { references: [...references, data.reference] };
}

export const moneyFold = { initial: { references: [] } as MoneyStream, evolve, knows: isMoneyEventType };

/** The entries of the event in the ledger, which add up to 0. */
export function moneyEntries({ type, data }: MoneyEvent): readonly LedgerEntry[] {
  return type === 'PayoutRecorded'
    ? moved('bank', `provider:${data.provider}`, data.amount_cents)
    : moved(sellerAccount(data.seller), 'bank', data.amount_cents);
}

const PROVIDER = 'provider-';
const SELLER_PAYMENT = 'seller-payment-';

/** The stream of a provider's payouts. */
export function providerStream(provider: string): string {
  return PROVIDER + provider;
}

/** The stream of the one payment to a seller with this reference. */
export function sellerPaymentStream(reference: string): string {
  return SELLER_PAYMENT + reference;
}

/** Whether its events are of money that belongs to no order. */
export function isMoneyStream(stream: string): boolean {
  return stream.startsWith(PROVIDER) || stream.startsWith(SELLER_PAYMENT);
}
