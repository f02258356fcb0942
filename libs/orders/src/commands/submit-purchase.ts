import { Command } from '@nestjs/cqrs';
import type { Variant } from '#contracts/checkout/validate-purchase';
import type { KnownOrder } from '#domain/order/order-state';
import type { Submission } from './purchase-keys.js';

/** What the platform gets back: the order, from which the Purchase is made, and the buyer's delivery data. */
export type SubmittedPurchase = Readonly<{ orderId: string; order: KnownOrder; delivery: object }>;

/** A platform client submits a purchase. Throws PurchaseError, and then nothing is left of the purchase. */
export class SubmitPurchase extends Command<SubmittedPurchase> {
  constructor(
    readonly variant: Variant,
    readonly body: unknown,
    readonly submission: Submission,
  ) {
    super();
  }
}
