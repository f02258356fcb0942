import { Injectable } from '@nestjs/common';
import { Clock } from '#base/clock';
import type { PricedDelivery } from '#listings/delivery.contract';
import type { ReceivedPurchase } from '#domain/order-events';
import type { ValidationIssue } from '#web/error-body.contract';
import { validatePurchase, type ValidParts, type ValidPurchase, type Variant } from './validate-purchase.contract.js';
import { paymentTotal, wholesaleTotal } from '#domain/pricing';
import { freeSeats } from '#domain/seats';
import { canBuy } from '#domain/splits';
import type { Listing } from '#listings/listing';
import { Listings } from '#listings/listings';
import { CardDataPolicy } from './card-data-policy.js';
import { PurchaseKeys, type Submission } from './purchase-keys.js';
import { SeatClaims } from './seat-claims.js';
import { duplicatePurchase, PurchaseError } from './commands/purchase-error.js';

/** A purchase whose quantity, delivery and total agree with its listing. The listing may have been read some time ago. */
export type CheckedPurchase = Readonly<{
  purchase: ValidPurchase;
  listing: Listing;
  /** The seats to take. Missing if the listing names too few. */
  seats?: readonly string[];
}>;

type Recorded = Readonly<{ orderId: string; received: ReceivedPurchase }>;

/** Runs before anything is written: all field errors, and the first error of the listing (docs/decisions/errors-of-a-purchase.md). */
@Injectable()
export class PurchaseCheck {
  private readonly claims = new SeatClaims();

  constructor(
    private readonly listings: Listings,
    private readonly keys: PurchaseKeys,
    private readonly clock: Clock,
    private readonly policy: CardDataPolicy,
  ) {}

  /**
   * The first issue of the listing hides the later ones: without a listing no quantity can be checked, and a quantity that cannot be bought
   * has no total. A duplicate hides them all, because its own first attempt may have taken the last tickets. Call `done` afterwards.
   * @throws PurchaseError
   */
  async check(variant: Variant, body: unknown, submission: Submission): Promise<CheckedPurchase> {
    const read = this.validated(variant, body, submission);
    if ('purchase' in read) {
      const { purchase } = read;
      const parts = partsOf(purchase);
      const cached = this.listings.cached(purchase.product.listing_id);
      // This saves one of two round trips. If the listing has changed since, the purchase does not take its stock.
      if (cached && !namesEnough(cached, purchase) && !listingIssue(variant, cached, parts)) {
        return { purchase, listing: cached };
      }
      const listing = await this.listings.find(purchase.product.listing_id);
      const issue = listingIssue(variant, listing, parts);
      if (issue) throw await this.rejection(issue, purchase.ref_id, submission);
      if (!listing) throw new Error('A purchase without a listing has an issue.');
      const seats = this.claims.claim(listing, purchase.product.quantity);
      return { purchase, listing, ...(seats && { seats }) };
    }
    const { issues, valid } = read;
    if (!valid.product) throw new PurchaseError(issues);
    const listing = await this.listings.find(valid.product.listing_id);
    const issue = listingIssue(variant, listing, valid);
    throw issue ? await this.rejection(issue, valid.ref_id, submission, issues) : new PurchaseError(issues);
  }

  /** Without card data in the market's own fields, as the settings say. */
  private validated(
    variant: Variant,
    body: unknown,
    { requireRefId }: Submission,
  ): ReturnType<typeof validatePurchase> {
    const read = validatePurchase(variant, body, this.clock.now(), requireRefId);
    if (!('purchase' in read)) return read;
    const { market_specific_fields: fields } = read.purchase;
    if (fields === null) return read;
    if (this.policy.refuses(fields)) {
      return { issues: [{ code: 40001, field: 'market_specific_fields' }], valid: partsOf(read.purchase) };
    }
    return { purchase: { ...read.purchase, market_specific_fields: this.policy.storable(fields) } };
  }

  /** Prefers a duplicate over the issue of the listing. `refId` is undefined when the `ref_id` is invalid. */
  async rejection(
    issue: ValidationIssue,
    refId: string | null | undefined,
    submission: Submission,
    before: readonly ValidationIssue[] = [],
  ): Promise<PurchaseError> {
    const isDuplicate = refId !== undefined && (await this.keys.includes(refId, submission));
    return new PurchaseError([...before, isDuplicate ? duplicatePurchase(refId) : issue]);
  }

  /** Call this once the purchase is recorded. */
  warnOfCardData({ orderId, received }: Recorded, transactionId: string): void {
    if (!received.card_data_in_ref_id) return;
    this.policy.warnOfRefId({ order_id: orderId, client_id: received.client_id, transaction_id: transactionId });
  }

  /** Call this once the purchase is recorded, or is not. */
  done({ listing, seats }: CheckedPurchase): void {
    if (seats) this.claims.release(listing.id, seats);
  }

  /** Call this after the stock could not be taken, so that the next check reads the listing again. */
  staleListing({ purchase }: CheckedPurchase): void {
    this.listings.invalidate(purchase.product.listing_id);
  }
}

/** Whether the purchase takes seats by name. Then only a fresh reading says which are free. */
function namesEnough(listing: Listing, { product }: ValidPurchase): boolean {
  return listing.seats !== undefined && freeSeats(listing).length >= product.quantity;
}

function partsOf(purchase: ValidPurchase): ValidParts {
  const { product, total_cents, ref_id } = purchase;
  return purchase.variant === 'payment'
    ? { product, total_cents, ref_id, delivery: purchase.delivery_method }
    : { product, total_cents, ref_id };
}

function listingIssue(variant: Variant, listing: Listing | undefined, valid: ValidParts): ValidationIssue | undefined {
  const { product } = valid;
  if (!product) return undefined;
  if (!listing) return { code: 40012, field: 'product.listing_id' };
  if (product.event_id !== undefined && listing.eventId !== product.event_id)
    return { code: 40012, field: 'product.event_id' };
  if (listing.withdrawnAt || listing.available === 0) return { code: 40014, field: 'product.listing_id' };
  const { quantity } = product;
  if (quantity === undefined) return undefined;
  if (!canBuy(listing.splitRule, listing.available, quantity)) return { code: 40011, field: 'product.quantity' };
  if (variant === 'wholesale') {
    return amountIssue(valid.total_cents, wholesaleTotal(listing, quantity), 'product.total');
  }
  return valid.delivery && deliveryIssue(listing, quantity, valid.delivery, valid.total_cents);
}

function deliveryIssue(
  listing: Listing,
  quantity: number,
  delivery: PricedDelivery,
  sent: number | undefined,
): ValidationIssue | undefined {
  const address = delivery.type === 'ship' ? delivery.data : undefined;
  const total = paymentTotal(listing, { quantity, delivery: { type: delivery.type, address } });
  if (total) return amountIssue(sent, total.totalCents, 'payment.total');
  const known = listing.deliveryMethods.some(({ type }) => type === delivery.type);
  // The seller does not ship to that address, or has no such delivery type.
  return known ? { code: 40034, field: 'delivery_method.data' } : { code: 40001, field: 'delivery_method.type' };
}

function amountIssue(sent: number | undefined, due: number, field: string): ValidationIssue | undefined {
  return sent === undefined || sent === due ? undefined : { code: 40026, field };
}
