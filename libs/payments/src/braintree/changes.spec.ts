import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderEvent } from '../provider-events.js';
import {
  type ConnectedBraintree,
  connectedBraintree,
  refundOf,
} from '../../../../test/support/payments/connected-braintree.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

async function changes(after: string | null, provider = braintree.provider): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.events(after) ?? []) events.push(event);
  return events;
}

describe('what changed at Braintree', () => {
  it('is every step of its refunds and disputes, oldest first', async () => {
    const payment = await braintree.captured();
    braintree.double.settle();
    braintree.clock.advance(HOUR_MS);
    await braintree.provider.refund(refundOf(payment, 50_00));
    braintree.clock.advance(HOUR_MS);
    const dispute = braintree.double.openDispute(payment.reference);
    braintree.clock.advance(HOUR_MS);
    braintree.double.settle();
    braintree.clock.advance(HOUR_MS);
    braintree.double.closeDispute(dispute, 'won');
    const found = await changes(null);
    expect(found.map(({ type, fact }) => [type, fact])).toEqual([
      ['refund_submitted_for_settlement', expect.objectContaining({ refundId: 'rf_1', outcome: 'pending' })],
      ['dispute_open', expect.objectContaining({ reference: dispute, orderId: 'ord_1', state: 'open' })],
      ['refund_settled', expect.objectContaining({ refundId: 'rf_1', outcome: 'succeeded', amountCents: 50_00 })],
      ['dispute_won', expect.objectContaining({ reference: dispute, state: 'won' })],
    ]);
  });

  it('goes on after the event that is known', async () => {
    const { reference } = await braintree.captured();
    braintree.double.settle();
    braintree.double.refundByHand(reference, 20_00);
    const [known] = await changes(null);
    expect(known!.fact).toMatchObject({ is: 'refund', refundId: null, orderId: 'ord_1', amountCents: 20_00 });
    expect(await changes(known!.id)).toEqual([]);
    braintree.clock.advance(3 * DAY_MS);
    braintree.double.settle();
    expect(await changes(known!.id)).toMatchObject([{ type: 'refund_settled' }]);
  });

  it('is that of thirty days where the known event does not say its time', async () => {
    const { reference } = await braintree.captured();
    braintree.double.openDispute(reference);
    expect(await changes('a5b0c1')).toHaveLength(1);
    braintree.clock.advance(31 * DAY_MS);
    expect(await changes('a5b0c1')).toEqual([]);
  });

  it('is told with the same words as the webhook', async () => {
    const { reference } = await braintree.captured();
    braintree.double.openDispute(reference);
    const [event] = await changes(null);
    expect(event!.fact).toMatchObject({ reason: 'fraud', dueAt: '2026-11-28T23:59:59.000Z', amountCents: 120_50 });
  });

  it('is not known while Braintree does not answer', async () => {
    braintree.double.next('silent', 'read');
    await expect(changes(null, braintree.impatient)).rejects.toThrow('no answer');
  });
});
