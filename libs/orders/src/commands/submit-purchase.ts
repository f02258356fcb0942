import { Command } from '@nestjs/cqrs';
import type { MarketFields } from '#contracts/market-fields';
import type { Variant } from '#contracts/checkout/validate-purchase';
import type { KnownOrder } from '#domain/order/order-state';
import type { Submission } from './purchase-keys.js';

export type SubmittedPurchase = Readonly<{
  orderId: string;
  order: KnownOrder;
  delivery: object;
  marketFields: MarketFields | null;
}>;

/** @throws PurchaseError, and then nothing is left of the purchase */
export class SubmitPurchase extends Command<SubmittedPurchase> {
  constructor(
    readonly variant: Variant,
    readonly body: unknown,
    readonly submission: Submission,
  ) {
    super();
  }
}
