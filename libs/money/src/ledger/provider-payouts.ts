import { Injectable } from '@nestjs/common';
import { type MoneyEvent, providerStream } from '#domain/money-events';
import type { Metadata } from '#event-store/event';
import { MoneyEventStore } from './money-event-store.js';

type Payout = Extract<MoneyEvent, { type: 'PayoutRecorded' }>['data'];

/** Records what a provider pays out to the bank. */
@Injectable()
export class ProviderPayouts {
  constructor(private readonly store: MoneyEventStore) {}

  /** @returns whether it was new: the same reference again changes nothing, nor does an amount of 0 */
  async record(payout: Payout, metadata: Metadata): Promise<boolean> {
    const { recorded } = await this.store.handle(
      providerStream(payout.provider),
      ({ references }) => {
        const isNew = payout.amount_cents !== 0 && !references.includes(payout.reference);
        return isNew ? [{ type: 'PayoutRecorded', data: payout }] : [];
      },
      { metadata },
    );
    return recorded;
  }
}
