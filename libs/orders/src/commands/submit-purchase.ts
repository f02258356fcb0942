import { Command } from '@nestjs/cqrs';
import type { MarketFields } from '#web/market-fields.contract';
import type { Variant } from '../validate-purchase.contract.js';
import type { KnownOrder } from '#domain/order-state';
import type { Submission } from '../purchase-keys.js';

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
