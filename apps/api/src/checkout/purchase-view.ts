import { Injectable } from '@nestjs/common';
import type { PersonalData } from '#orders/commands/purchase-drafts';
import type { SubmittedPurchase } from '#orders/commands/submit-purchase';
import { Sealer } from '#crypto/sealing';
import { type PurchaseDocument, purchaseDocument } from '#orders/read-models/order-row';
import type { StoredPurchase } from '#orders/read-models/purchase-queries';

/** The Purchase of the specification as JSON text, including the buyer's delivery data. */
@Injectable()
export class PurchaseView {
  constructor(private readonly sealer: Sealer) {}

  /** A purchase that was just submitted, as GET would return it now. */
  ofSubmitted({ orderId, order, delivery }: SubmittedPurchase): string {
    return JSON.stringify(withDelivery(purchaseDocument(orderId, order), delivery));
  }

  /** A stored purchase. Without the order's key the buyer's data has been erased. */
  ofStored(orderId: string, { purchase, personal, key }: StoredPurchase): string {
    if (!personal || !key) return purchase;
    const { delivery } = this.sealer.openPersonal(orderId, key, personal) as PersonalData;
    return JSON.stringify(withDelivery(JSON.parse(purchase) as PurchaseDocument, delivery));
  }
}

function withDelivery(purchase: PurchaseDocument, data: object): PurchaseDocument {
  return { ...purchase, delivery_method: { ...purchase.delivery_method, data: { ...data } } };
}
