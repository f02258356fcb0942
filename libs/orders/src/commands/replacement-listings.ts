import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import { domainError } from '#domain/domain-error';
import type { ReceivedPurchase } from '#domain/order-events';
import type { PurchaseParts } from '#domain/payment-events';
import { type DeliveryType, type Place, replacementParts } from '#domain/pricing';
import type { Listing } from '#listings/listing';
import { Listings } from '#listings/listings';
import type { OrderStream } from '../order-changes.js';
import { orderKeys } from './order-keys.js';
import type { PersonalData } from '../purchase-drafts.js';

/** The listings whose tickets may take the place of an order's, and what they cost its buyer. */
@Injectable()
export class ReplacementListings {
  constructor(
    private readonly listings: Listings,
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  find(id: string): Promise<Listing | undefined> {
    return this.listings.find(id);
  }

  /** The listing has changed, so the next `find` reads it. */
  forget(id: string): void {
    this.listings.invalidate(id);
  }

  /**
   * What the order's tickets would have cost from this listing, by the rule of a purchase. Undefined if nobody pays here.
   * @throws DomainError CONFLICT if the address is needed and was erased or does not open, because money is never guessed
   */
  async partsOf(orderId: string, { events }: OrderStream, listing: Listing): Promise<PurchaseParts | undefined> {
    // The tax was paid for the address of the purchase, which staff may have corrected since.
    const purchase = events.find((event) => event.type === 'PurchaseReceived')?.data;
    if (!purchase || purchase.payment === null) return undefined;
    const { product, delivery_method: type } = purchase;
    const address = type === 'ship' ? await this.addressOf(orderId, purchase) : undefined;
    return replacementParts(listing, {
      quantity: product.quantity,
      delivery: { type: type as DeliveryType, address },
    });
  }

  private async addressOf(orderId: string, { personal }: ReceivedPurchase): Promise<Place> {
    const key = (await orderKeys(this.pool, [orderId])).get(orderId)?.key;
    try {
      if (!key || personal === null) throw unknownPrice();
      const data = this.sealer.openPersonal(orderId, key, Buffer.from(personal, 'base64')) as PersonalData;
      return data.delivery as Place;
    } catch (error) {
      throw error instanceof UnsealError ? unknownPrice() : error;
    }
  }
}

const unknownPrice = () =>
  domainError('CONFLICT', 'The address of the purchase cannot be read, so nobody knows what other tickets cost.');
