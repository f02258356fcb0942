import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectedStripe, paidBy, takenPayment } from '../../../../test/support/payments/connected-stripe.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import type { FixedClock } from '../../../../test/support/fixed-clock.js';
import type { PaymentProvider, RefundRequest } from '../payment-provider.js';

let double: StripeDouble;
let provider: PaymentProvider;
let clock: FixedClock;
let request: RefundRequest;

beforeEach(async () => {
  ({ double, provider, clock } = await connectedStripe(300));
  request = refundOf(await takenPayment(provider, 'ord_1'));
});
afterEach(() => double.stop());

function refundOf({ orderId, reference, currency }: Awaited<ReturnType<typeof takenPayment>>): RefundRequest {
  const ids = { orderId, reference, refundId: `rf_${orderId}`, key: `${orderId}-refund-1` };
  return { ...ids, amountCents: 4_000, currency, isWhole: false };
}

const attempts = () => double.asked.filter(({ step }) => step === 'refund').length;
const succeeded = { is: 'succeeded', reference: expect.stringMatching(/^re_/) };

describe('a refund', () => {
  it('keeps our ids with Stripe', async () => {
    expect(await provider.refund(request)).toEqual(succeeded);
    expect(double.book.refundRecords).toMatchObject([
      { amount: 4_000, metadata: { order_id: 'ord_1', refund_id: 'rf_ord_1' } },
    ]);
  });

  it.each(['done-broken', 'done-dropped', 'done-silent', 'broken-saved', 'broken'] as const)(
    'is made once when an answer is %s',
    async (fault) => {
      double.next(fault, 'refund');
      expect(await provider.refund(request)).toEqual(succeeded);
      expect(double.book.refunds()).toMatchObject([{ refundId: 'rf_ord_1', amountCents: 4_000 }]);
    },
  );

  it.each(['refused', 'unauthorised', 'conflict', 'silent'] as const)(
    'that was not made because the answer is %s is an error, and may be asked for again',
    async (fault) => {
      double.next(fault, 'refund');
      await expect(provider.refund(request)).rejects.toThrow(/^Stripe: refund failed/);
      expect(await provider.findRefund(request, null)).toEqual({ is: 'absent' });
      expect(await provider.refund(request)).toEqual(succeeded);
    },
  );

  it('keeps to its first key while that may still bring it about, so that two who ask for it make one', async () => {
    double.next('broken', 'refund');
    double.next('broken', 'refund');
    await expect(provider.refund(request)).rejects.toThrow(/^Stripe: refund failed/);
    expect(await provider.refund(request)).toEqual(succeeded);
    const keys = double.asked.filter(({ step }) => step === 'refund').map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set([request.key]));
  });

  it('is not made again under a key that is too old to be known', async () => {
    const first = await provider.refund(request);
    clock.advance(86_400_000);
    double.forgetKeys();
    expect(await provider.refund(request)).toEqual(first);
    expect(double.book.refunds()).toHaveLength(1);
    expect(attempts()).toBe(1);
  });

  it('is found among many of the same payment', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const id of ids) {
      await provider.refund({ ...request, amountCents: 100, refundId: `rf_${id}`, key: `ord_1-refund-${id}` });
    }
    for (const id of ids) {
      expect(await provider.findRefund({ ...request, refundId: `rf_${id}` }, null)).toEqual(succeeded);
    }
  });

  it('is made under the next key when the first was used for another amount', async () => {
    await provider.refund({ ...request, amountCents: 100, refundId: 'rf_other' });
    expect(await provider.refund(request)).toEqual(succeeded);
    expect(double.book.refunds()).toMatchObject([{ amountCents: 100 }, { amountCents: 4_000 }]);
  });

  it('waits while there is no balance, and is made once there is one, although Stripe keeps its refusal', async () => {
    double.setBalance(3_999);
    const waiting = { is: 'waiting', reason: 'insufficient_funds' };
    expect(await provider.refund(request)).toEqual(waiting);
    expect(await provider.refund(request)).toEqual(waiting);
    double.setBalance(1_000_000);
    clock.advance(60_000);
    expect(await provider.refund(request)).toEqual(succeeded);
    expect(double.book.refunds()).toHaveLength(1);
  });

  it.each([
    [{ amountCents: 10_001 }, 'amount_too_large'],
    [{ amountCents: 10_000 }, 'charge_already_refunded'],
  ])('of %j that Stripe refuses has failed', async (part, reason) => {
    if (reason === 'charge_already_refunded') double.refundByHand(request.reference, 10_000);
    expect(await provider.refund({ ...request, ...part })).toEqual({ is: 'failed', reference: null, reason });
  });

  it('that fails later is found as failed', async () => {
    const payment = await takenPayment(provider, 'ord_2', paidBy({ number: '4000000000005126' }));
    const later = refundOf(payment);
    const pending = await provider.refund(later);
    expect(pending).toEqual({ is: 'pending', reference: expect.any(String) });
    double.settle();
    const reference = double.book.refunds(payment.reference)[0]!.reference;
    const failed = { is: 'failed', reference, reason: 'expired_or_canceled_card' };
    expect(await provider.findRefund(later, reference)).toEqual(failed);
    expect(await provider.findRefund(later, null)).toEqual(failed);
  });

  it('of a payment that Stripe does not know is an error, because the account may be another one', async () => {
    await expect(provider.refund({ ...request, reference: 'pi_unknown' })).rejects.toThrow('404');
  });
});

it('gives each refund once through hundreds of requests of which every third fails', async () => {
  double.fail({ seed: 3, rates: { 'done-dropped': 0.1, broken: 0.1, 'broken-saved': 0.05, 'done-broken': 0.1 } });
  const wanted = Array.from({ length: 60 }, (_, at) => ({ ...request, amountCents: 100 + at, refundId: `rf_${at}` }));
  for (const [at, each] of wanted.entries()) {
    for (let tries = 0, is = ''; is !== 'succeeded'; tries += 1) {
      if (tries > 20) throw new Error('It is never given.');
      clock.advance(60_000);
      const outcome = await provider.refund({ ...each, key: `ord_1-refund-${at}` }).catch(() => undefined);
      is = outcome?.is ?? '';
    }
  }
  const given = double.book.refunds().map(({ refundId, amountCents }) => ({ refundId, amountCents }));
  expect(given).toEqual(wanted.map(({ refundId, amountCents }) => ({ refundId, amountCents })));
});
