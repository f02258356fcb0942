import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FixedClock } from '../../../../test/support/fixed-clock.js';
import { connectedStripe, paidBy, takenPayment } from '../../../../test/support/payments/connected-stripe.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import type { PaymentProvider } from '../payment-provider.js';
import type { BalanceLine } from '../provider-lists.js';

const TODAY = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'] as const;

let double: StripeDouble;
let provider: PaymentProvider;
let clock: FixedClock;

beforeEach(async () => {
  ({ double, provider, clock } = await connectedStripe());
});
afterEach(() => double.stop());

async function all<T>(list: AsyncIterable<T> | undefined): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list ?? []) found.push(each);
  return found;
}

const lines = (from: string = TODAY[0], to: string = TODAY[1]) => all(provider.balanceLines(from, to));
const nothing = { payment: null, orderId: null, refundId: null };

describe('the list of balance lines', () => {
  it('says of each movement what it belongs to', async () => {
    const { reference } = await takenPayment(provider, 'ord_1');
    const payment = { payment: reference, orderId: 'ord_1' };
    const request = { ...payment, reference, currency: 'USD', amountCents: 700, isWhole: false };
    await provider.refund({ ...request, refundId: 'rf_1', key: 'ord_1-refund-1' });
    const failing = await takenPayment(provider, 'ord_2', paidBy({ number: '4000000000005126' }));
    const refund = double.refundByHand(failing.reference, 500);
    double.settle();
    const dispute = double.openDispute(reference);
    double.closeDispute(dispute, 'won');
    const payout = double.payOut(2_000);

    const found = await lines();
    const shown = found.map(({ id: _id, currency, createdAt, ...rest }) => {
      expect([currency, createdAt]).toEqual(['USD', '2026-11-21T12:00:00.000Z']);
      return rest;
    });
    const ours = double.book.refunds(reference)[0]?.reference ?? null;
    const other = { reference: refund, payment: failing.reference, orderId: null, refundId: null };
    const disputed = { ...nothing, reference: dispute, payment: reference };
    expect(shown).toEqual([
      { kind: 'charge', reference, ...payment, refundId: null, amountCents: 10_000, feeCents: 320 },
      { kind: 'refund', reference: ours, ...payment, refundId: 'rf_1', amountCents: -700, feeCents: 0 },
      {
        kind: 'charge',
        ...nothing,
        reference: failing.reference,
        payment: failing.reference,
        orderId: 'ord_2',
        amountCents: 10_000,
        feeCents: 320,
      },
      { kind: 'refund', ...other, amountCents: -500, feeCents: 0 },
      { kind: 'refund_failed', ...other, amountCents: 500, feeCents: 0 },
      { kind: 'dispute', ...disputed, amountCents: -10_000, feeCents: 1_500 },
      { kind: 'dispute_reversed', ...disputed, amountCents: 10_000, feeCents: 0 },
      { kind: 'payout', ...nothing, reference: payout, amountCents: -2_000, feeCents: 0 },
    ] satisfies Omit<BalanceLine, 'id' | 'currency' | 'createdAt'>[]);
    expect(found.map(({ id }) => id)).toEqual(double.book.lines.map(({ id }) => id));
  });

  it('begins with the first instant and ends before the last one', async () => {
    clock.set('2026-11-20T23:59:59.000Z');
    await takenPayment(provider, 'ord_1');
    clock.set(TODAY[0]);
    await takenPayment(provider, 'ord_2');
    clock.set('2026-11-21T23:59:59.999Z');
    await takenPayment(provider, 'ord_3');
    clock.set(TODAY[1]);
    await takenPayment(provider, 'ord_4');
    expect((await lines()).map(({ orderId }) => orderId)).toEqual(['ord_2', 'ord_3']);
    const later = await lines('2026-11-21T00:00:00.001Z', '2026-11-22T00:00:00.001Z');
    expect(later.map(({ orderId }) => orderId)).toEqual(['ord_3', 'ord_4']);
  });

  it('is an error of ours when Stripe does not answer', async () => {
    double.next('unauthorised', 'read');
    await expect(lines()).rejects.toThrow('Stripe: reading the balance failed (401');
  });
});

it('the list of payouts says when each is in the bank', async () => {
  const references = [1_000, 2_000, 3_000, 4_000].map((cents) => double.payOut(cents));
  double.settle();
  references.push(double.payOut(5_000));
  const found = await all(provider.payouts(...TODAY));
  expect(found.map(({ reference }) => reference)).toEqual(references);
  expect([found[0], found.at(-1)?.state]).toEqual([
    {
      reference: references[0],
      amountCents: 1_000,
      currency: 'USD',
      state: 'paid',
      createdAt: '2026-11-21T12:00:00.000Z',
      arrivesAt: '2026-11-23T12:00:00.000Z',
    },
    'pending',
  ]);
});
