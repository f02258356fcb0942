import type { PurchaseParts } from './payment-events.js';

/** The account of what a seller is owed. `house`: the installation's own tickets. */
export function sellerAccount(seller: string | undefined): string {
  return `seller:${seller ?? 'house'}`;
}

/** Earlier versions recorded only the total, which counts as the seller's. */
export function withoutParts(total: number): PurchaseParts {
  return { price_cents: total, fees_cents: 0, tax_cents: 0, delivery_cents: 0 };
}

/** In cents: what the buyer pays. */
export function totalOf({ price_cents, fees_cents, delivery_cents, tax_cents }: PurchaseParts): number {
  return price_cents + fees_cents + delivery_cents + tax_cents;
}
