import { Injectable } from '@nestjs/common';
import { type MoneyEvent, sellerPaymentStream } from '#domain/money-events';
import type { Metadata } from '#event-store/event';
import { VersionConflict } from '#event-store/event-store';
import { MoneyEventStore } from './money-event-store.js';

type SellerPaid = Extract<MoneyEvent, { type: 'SellerPaid' }>['data'];

/** Records what sellers were paid. */
@Injectable()
export class SellerPayments {
  constructor(private readonly store: MoneyEventStore) {}

  /**
   * Each reference has a stream of its own, so of two requests at once one is refused.
   * @returns when it was recorded, ISO 8601; undefined if there is a payment with this reference already, whatever its amount
   */
  async record(paid: SellerPaid, metadata: Metadata): Promise<string | undefined> {
    const stream = this.store.fresh(sellerPaymentStream(paid.reference));
    try {
      const { events } = await this.store.append(stream, [{ type: 'SellerPaid', data: paid }], { metadata });
      return events[0]?.recorded_at;
    } catch (error) {
      if (error instanceof VersionConflict) return undefined;
      throw error;
    }
  }
}
