import { Injectable } from '@nestjs/common';
import type { PersonalData } from '#orders/commands/purchase-drafts';
import type { SubmittedPurchase } from '#orders/commands/submit-purchase';
import { Sealer } from '#crypto/sealing';
import { type PurchaseDocument, purchaseDocument } from '#orders/read-models/order-row';
import type { StoredPurchase } from '#orders/read-models/purchase-queries';

/** The Purchase of the specification as JSON text, with the buyer's delivery data put back in its place. */
@Injectable()
export class PurchaseView {
  constructor(private readonly sealer: Sealer) {}

  /** Of a purchase that was just made: what GET would answer now. */
  ofSubmitted({ orderId, order, delivery }: SubmittedPurchase): string {
    return JSON.stringify(withDelivery(purchaseDocument(orderId, order), delivery));
  }

  /** Of one that was read. Without the order's key the buyer's data has been erased. */
  ofKept(orderId: string, { purchase, personal, key }: StoredPurchase): string {
    if (!personal || !key) return purchase;
    const { delivery } = this.sealer.openPersonal(orderId, key, personal) as PersonalData;
    return JSON.stringify(withDelivery(JSON.parse(purchase) as PurchaseDocument, delivery));
  }
}

function withDelivery(purchase: PurchaseDocument, data: object): PurchaseDocument {
  return { ...purchase, delivery_method: { ...purchase.delivery_method, data: { ...data } } };
}
