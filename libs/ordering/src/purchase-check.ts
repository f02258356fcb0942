import { Injectable } from '@nestjs/common';
import { Clock } from '#ambient/clock';
import type { Delivery } from '#contracts/checkout/delivery';
import type { Fault } from '#contracts/checkout/error-body';
import {
  type SoundParts,
  type ValidPurchase,
  validatePurchase,
  type Variant,
} from '#contracts/checkout/validate-purchase';
import { paymentTotal, wholesaleTotal } from '#domain/pricing';
import { canBuy } from '#domain/splits';
import type { Listing } from '#inventory/listing';
import { Listings } from '#inventory/listings';
import { PurchaseKeys, type Submission } from './purchase-keys.js';
import { duplicatePurchase, PurchaseRefused } from './purchase-refused.js';

/** A purchase that agrees with its listing as it was read, perhaps some time ago: quantity, delivery and total. */
export type CheckedPurchase = Readonly<{ purchase: ValidPurchase; listing: Listing }>;

/** All that can be said against a purchase before anything is written (contract, section 4 "Order of checks"). */
@Injectable()
export class PurchaseCheck {
  constructor(
    private readonly listings: Listings,
    private readonly keys: PurchaseKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Faults of fields and of the listing come back together. Of the listing's, the first hides the later ones: without
   * a listing there is no quantity to judge, and for a quantity that cannot be bought there is no total. A repetition
   * hides them all: its own first try may have taken the last tickets.
   * @throws PurchaseRefused
   */
  async check(variant: Variant, body: unknown, submission: Submission): Promise<CheckedPurchase> {
    const read = validatePurchase(variant, body, this.clock.now());
    if ('purchase' in read) {
      const { purchase } = read;
      const parts = partsOf(purchase);
      const remembered = this.listings.remembered(purchase.product.listing_id);
      // Saves one of two round trips. Where the listing has changed since, its stock is not taken.
      if (remembered && !listingFault(variant, remembered, parts)) return { purchase, listing: remembered };
      const listing = await this.listings.find(purchase.product.listing_id);
      const fault = listingFault(variant, listing, parts);
      if (fault) throw await this.refused(fault, purchase.ref_id, submission);
      if (!listing) throw new Error('A purchase without a listing has a fault.');
      return { purchase, listing };
    }
    const { faults, sound } = read;
    if (!sound.product) throw new PurchaseRefused(faults);
    const listing = await this.listings.find(sound.product.listing_id);
    const fault = listingFault(variant, listing, sound);
    throw fault ? await this.refused(fault, sound.ref_id, submission, faults) : new PurchaseRefused(faults);
  }

  /** What is wrong with the listing, unless the purchase was made before; undefined for a `ref_id` that is faulty. */
  async refused(
    fault: Fault,
    refId: string | null | undefined,
    submission: Submission,
    before: readonly Fault[] = [],
  ): Promise<PurchaseRefused> {
    const isDuplicate = refId !== undefined && (await this.keys.includes(refId, submission));
    return new PurchaseRefused([...before, isDuplicate ? duplicatePurchase(refId) : fault]);
  }

  /** After the stock of a checked purchase could not be taken: the next check reads its listing afresh. */
  staleListing({ purchase }: CheckedPurchase): void {
    this.listings.forget(purchase.product.listing_id);
  }
}

function partsOf(purchase: ValidPurchase): SoundParts {
  const { product, total_cents, ref_id } = purchase;
  return purchase.variant === 'payment'
    ? { product, total_cents, ref_id, delivery: purchase.delivery_method }
    : { product, total_cents, ref_id };
}

function listingFault(variant: Variant, listing: Listing | undefined, sound: SoundParts): Fault | undefined {
  const { product } = sound;
  if (!product) return undefined;
  if (!listing) return { code: 40012, field: 'product.listing_id' };
  if (product.event_id !== undefined && listing.eventId !== product.event_id)
    return { code: 40012, field: 'product.event_id' };
  if (listing.withdrawnAt || listing.available === 0) return { code: 40014, field: 'product.listing_id' };
  const { quantity } = product;
  if (quantity === undefined) return undefined;
  if (!canBuy(listing.splitRule, listing.available, quantity)) return { code: 40011, field: 'product.quantity' };
  if (variant === 'wholesale') {
    return amountFault(sound.total_cents, wholesaleTotal(listing, quantity), 'product.total');
  }
  return sound.delivery && deliveryFault(listing, quantity, sound.delivery, sound.total_cents);
}

function deliveryFault(
  listing: Listing,
  quantity: number,
  delivery: Delivery,
  sent: number | undefined,
): Fault | undefined {
  const address = delivery.type === 'ship' ? delivery.data : undefined;
  const total = paymentTotal(listing, { quantity, delivery: { type: delivery.type, address } });
  if (total) return amountFault(sent, total.totalCents, 'payment.total');
  const known = listing.deliveryMethods.some(({ type }) => type === delivery.type);
  // The seller ships, but not to that address; or does not deliver that way at all.
  return known ? { code: 40034, field: 'delivery_method.data' } : { code: 40001, field: 'delivery_method.type' };
}

function amountFault(sent: number | undefined, due: number, field: string): Fault | undefined {
  return sent === undefined || sent === due ? undefined : { code: 40026, field };
}
