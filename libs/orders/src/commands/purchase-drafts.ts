import { Injectable } from '@nestjs/common';
import { Ids } from '#runtime/ids';
import { Randomness } from '#runtime/randomness';
import { Settings } from '#config/settings';
import { dollarsOf } from '#domain/money';
import type { ReceivedPurchase } from '#domain/order/order-events';
import { KEY_BYTES, Sealer } from '#crypto/sealing';
import { type BuyerDigests, buyerDigests } from './buyer-digests.js';
import type { CheckedPurchase } from './purchase-check.js';
import { purchaseKey, type Submission } from './purchase-keys.js';

/** The buyer's data before encryption. `delivery` is the Purchase's `delivery_method.data`. */
export type PersonalData = Readonly<{ user: object | null; delivery: object; billing: object | null }>;

/** `received` is the recorded purchase. The append writes the attachments beside the event. */
export type PurchaseDraft = Readonly<{
  orderId: string;
  received: ReceivedPurchase;
  attachments: Readonly<{ personalDataKey?: PersonalDataKey }>;
}>;

export type PersonalDataKey = Readonly<{ key: Buffer; digests: BuyerDigests }>;

@Injectable()
export class PurchaseDrafts {
  constructor(
    private readonly ids: Ids,
    private readonly randomness: Randomness,
    private readonly sealer: Sealer,
    private readonly settings: Settings,
  ) {}

  draft({ purchase, listing }: CheckedPurchase, submission: Submission): PurchaseDraft {
    const orderId = this.ids.next('ord');
    const paid = purchase.variant === 'payment' ? purchase : undefined;
    const sealed = this.seal(orderId, {
      user: purchase.user,
      delivery: paid?.delivery_method.data ?? {},
      billing: paid?.payment.billing ?? null,
    });
    const reviewFrom = this.settings.REVIEW_TOTAL_FROM;
    const received: ReceivedPurchase = {
      client_id: submission.clientId,
      variant: purchase.variant,
      product: purchase.product,
      listing_version: listing.version,
      total_cents: purchase.total_cents,
      delivery_method: paid?.delivery_method.type ?? listing.deliveryMethods[0]?.type ?? 'download',
      ref_id: purchase.ref_id,
      duplicate_key: purchaseKey(purchase.ref_id, submission),
      trusted: purchase.trusted,
      // In dollars both sides are the double that the amount parses to. In cents, 256.10 * 100 is more than 25610.
      hold_for_review: reviewFrom !== undefined && dollarsOf(purchase.total_cents) >= reviewFrom,
      confirmation: listing.confirmation,
      confirm_within_minutes: listing.confirmWithinMinutes ?? null,
      payment: paid?.payment.summary ?? null,
      market_specific_fields: purchase.market_specific_fields,
      ...(listing.seller !== undefined && { seller: listing.seller }),
      personal: sealed?.personal ?? null,
    };
    return { orderId, received, attachments: sealed ? { personalDataKey: sealed.personalDataKey } : {} };
  }

  private seal(
    orderId: string,
    data: PersonalData,
  ): { personal: string; personalDataKey: PersonalDataKey } | undefined {
    if (!data.user && !data.billing && Object.keys(data.delivery).length === 0) return undefined;
    const key = this.randomness.bytes(KEY_BYTES);
    const personal = this.sealer.sealPersonal(orderId, key, data).toString('base64');
    return { personal, personalDataKey: { key, digests: buyerDigests(this.sealer, data) } };
  }
}
