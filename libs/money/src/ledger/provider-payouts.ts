import { Injectable } from '@nestjs/common';
import { type MoneyEvent, type MoneyStream, providerStream } from '#domain/money-events';
import type { Metadata } from '#event-store/event';
import type { ProviderPayout } from '#payments/provider-lists';
import { MoneyEventStore } from './money-event-store.js';

type Payout = Pick<ProviderPayout, 'reference' | 'amountCents' | 'currency' | 'state' | 'arrivesAt'>;

/** Records what a provider pays out to the bank. */
@Injectable()
export class ProviderPayouts {
  constructor(private readonly store: MoneyEventStore) {}

  /**
   * A payout counts from when the provider tells of it until it fails. What it tells may come in any order, and twice.
   * @returns whether that was new
   */
  async record(provider: string, payout: Payout, metadata: Metadata): Promise<boolean> {
    const stream = providerStream(provider);
    const { recorded } = await this.store.handle(stream, (known) => news(known, provider, payout), { metadata });
    return recorded;
  }
}

function news({ references }: MoneyStream, provider: string, payout: Payout): readonly MoneyEvent[] {
  const { reference, amountCents, currency, state, arrivesAt } = payout;
  if (amountCents === 0) return [];
  const data = { provider, currency, arrives_on: arrivesAt.slice(0, 10) };
  const returned = `${reference}-failed`;
  const each = [
    { ...data, reference, amount_cents: amountCents },
    ...(state === 'failed' ? [{ ...data, reference: returned, amount_cents: -amountCents }] : []),
  ];
  return each
    .filter((one) => !references.includes(one.reference))
    .map((one) => ({ type: 'PayoutRecorded', data: one }) as const);
}
