import { Injectable } from '@nestjs/common';
import { Ids } from '#base/ids';
import { Settings } from '#base/settings';
import { hasCardData } from '#web/card-data.contract';
import type { MarketFields } from '#web/market-fields.contract';
import { dollarsOf } from '#domain/money';
import { paymentParts, type Place } from '#domain/pricing';
import type { PurchaseParts } from '#domain/payment-events';
import type { FraudVerdict, ReceivedPurchase } from '#domain/order-events';
import { Sealer } from '#base/sealing';
import { type BuyerDigests, buyerDigests } from './buyer-digests.js';
import type { Listing } from '#listings/listing';
import { deliveryFormOf, soldFrom } from './sold-from.js';
import type { CheckedPurchase } from './purchase-check.js';
import type { PaymentPurchase } from './purchase-request.contract.js';
import { purchaseKey, type Submission } from './purchase-keys.js';

/**
 * The buyer's data before encryption. `delivery` is the Purchase's `delivery_method.data`. The market's own fields are missing if it sent
 * none, and in purchases of versions before they were sealed.
 */
export type PersonalData = Readonly<{
  user: object | null;
  delivery: object;
  billing: object | null;
  market_specific_fields?: MarketFields;
}>;

/** `received` is the recorded purchase. The append writes the attachments beside the event. `screening` is missing without fraud rules. */
export type PurchaseDraft = Readonly<{
  orderId: string;
  received: ReceivedPurchase;
  screening?: FraudVerdict;
  attachments: Readonly<{ personalDataKey?: PersonalDataKey }>;
}>;

/** `address` and `card` are digests by which fraud rules count purchases. Without fraud rules they are not kept. */
export type PersonalDataKey = Readonly<{
  key: Buffer;
  digests: BuyerDigests;
  address?: Buffer | undefined;
  card?: Buffer | undefined;
}>;

/** Makes the draft of a purchase, with what policies and fraud rules say about it. */
export abstract class ScreenedDrafts {
  abstract draft(checked: CheckedPurchase, submission: Submission): Promise<PurchaseDraft>;
}

@Injectable()
export class PurchaseDrafts {
  constructor(
    private readonly ids: Ids,
    private readonly sealer: Sealer,
    private readonly settings: Settings,
  ) {}

  draft({ purchase, listing, seats }: CheckedPurchase, submission: Submission): PurchaseDraft {
    const orderId = this.ids.next('ord');
    const { market_specific_fields: marketFields } = purchase;
    const paid = purchase.variant === 'payment' ? purchase : undefined;
    const sealed = this.seal(orderId, {
      user: purchase.user,
      delivery: paid?.delivery_method.data ?? {},
      billing: paid?.payment.billing ?? null,
      ...(marketFields && { market_specific_fields: marketFields }),
    });
    const type = paid?.delivery_method.type ?? listing.deliveryMethods[0]?.type ?? 'download';
    const reviewFrom = this.settings.REVIEW_TOTAL_FROM;
    const received: ReceivedPurchase = {
      client_id: submission.clientId,
      variant: purchase.variant,
      product: { ...purchase.product, ...soldFrom(listing, seats) },
      listing_version: listing.version,
      total_cents: purchase.total_cents,
      currency: this.settings.CURRENCY,
      ...(paid && { parts: partsOf(paid, listing), capture: listing.capture ?? this.settings.CAPTURE }),
      delivery_method: type,
      ...deliveryFormOf(listing, type),
      ref_id: purchase.ref_id,
      duplicate_key: purchaseKey(purchase.ref_id, submission),
      trusted: purchase.trusted,
      // In dollars both sides are the double that the amount parses to. In cents, 256.10 * 100 is more than 25610.
      hold_for_review: reviewFrom !== undefined && dollarsOf(purchase.total_cents) >= reviewFrom,
      ...confirmationOf(listing),
      payment: paid?.payment.summary ?? null,
      market_specific_fields: null,
      ...(marketFields && { market_specific_fields_sealed: true }),
      ...(purchase.ref_id !== null && hasCardData(purchase.ref_id) && { card_data_in_ref_id: true }),
      ...(listing.seller !== undefined && { seller: listing.seller }),
      personal: sealed?.personal ?? null,
    };
    return { orderId, received, attachments: sealed ? { personalDataKey: sealed.personalDataKey } : {} };
  }

  private seal(
    orderId: string,
    data: PersonalData,
  ): { personal: string; personalDataKey: PersonalDataKey } | undefined {
    const isEmpty = !data.user && !data.billing && !data.market_specific_fields;
    if (isEmpty && Object.keys(data.delivery).length === 0) return undefined;
    const key = this.sealer.newOrderKey();
    const personal = this.sealer.sealPersonal(orderId, key, data).toString('base64');
    return { personal, personalDataKey: { key, digests: buyerDigests(this.sealer, data) } };
  }
}

const SPECULATIVE_MINUTES = 1_440;

/** A speculative listing always waits for its broker. */
function confirmationOf({ speculative, confirmation, confirmWithinMinutes: minutes }: Listing) {
  if (!speculative) return { confirmation, confirm_within_minutes: minutes ?? null };
  return { confirmation: 'manual', confirm_within_minutes: minutes ?? SPECULATIVE_MINUTES } as const;
}

/** @throws Error if the listing has no such delivery: the check of the purchase has seen to that */
function partsOf({ product, delivery_method: { type, data } }: PaymentPurchase, listing: Listing): PurchaseParts {
  const parts = paymentParts(listing, { quantity: product.quantity, delivery: { type, address: data as Place } });
  if (!parts) throw new Error('A purchase that was checked has a price.');
  return parts;
}
