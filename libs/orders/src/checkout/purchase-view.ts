import { Injectable } from '@nestjs/common';
import type { MarketFields } from '#web/market-fields.contract';
import type { PersonalData } from '../purchase-drafts.js';
import type { SubmittedPurchase } from '../commands/submit-purchase.js';
import { Sealer } from '#base/sealing';
import { claimedDownload } from '../transfer-recipient.js';
import { type PurchaseDocument, purchaseDocument } from '../purchase-document.js';
import type { StoredPurchase } from '../read-models/purchase-queries.js';
import { parseJson, stringifyJson } from '#base/json';

type SealedParts = Readonly<{ delivery: object; marketFields: MarketFields | null | undefined }>;

/** The Purchase of the specification as JSON text, including what is stored sealed: delivery data and the market's own fields. */
@Injectable()
export class PurchaseView {
  constructor(private readonly sealer: Sealer) {}

  /** A purchase that was just submitted, as GET would return it now. */
  ofSubmitted({ orderId, order, delivery, marketFields }: SubmittedPurchase): string {
    return stringifyJson(withSealed(purchaseDocument(orderId, order), { delivery, marketFields }));
  }

  /** A stored purchase. Without the order's key what was sealed has been erased. */
  ofStored(orderId: string, stored: StoredPurchase): string {
    const { purchase, personal, key } = stored;
    if (!key || !(personal || stored.sealed_claims)) return purchase;
    const document = this.claimed(orderId, parseJson(purchase) as PurchaseDocument, stored);
    if (!personal) return stringifyJson(document);
    const opened = this.sealer.openPersonal(orderId, key, personal) as PersonalData;
    const { delivery, market_specific_fields: marketFields } = opened;
    return stringifyJson(withSealed(document, { delivery, marketFields }));
  }

  private claimed(orderId: string, document: PurchaseDocument, { key, sealed_claims: claims }: StoredPurchase) {
    if (!claims) return document;
    return { ...document, fulfillment: claimedDownload(this.sealer, { id: orderId, key }, claims) };
  }
}

function withSealed(purchase: PurchaseDocument, { delivery: data, marketFields }: SealedParts): PurchaseDocument {
  const { ref_id, status_history, ...others } = purchase;
  return {
    ...others,
    delivery_method: { ...purchase.delivery_method, data: { ...data } },
    ...(marketFields && { market_specific_fields: marketFields }),
    ...(ref_id !== undefined && { ref_id }),
    status_history,
  };
}
