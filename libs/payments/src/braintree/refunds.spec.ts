import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.js';
import {
  type ConnectedBraintree,
  connectedBraintree,
  refundOf,
} from '../../../../test/support/payments/connected-braintree.js';

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

describe('before the settlement', () => {
  it('a whole refund is a void', async () => {
    const payment = await braintree.captured();
    const reference = `void:${payment.reference}`;
    expect(await braintree.provider.refund(refundOf(payment))).toEqual({ is: 'succeeded', reference });
    expect(braintree.double.book.charges()).toMatchObject([{ state: 'voided', refundedCents: 120_50 }]);
    expect(await braintree.provider.refund(refundOf(payment))).toEqual({ is: 'succeeded', reference });
    expect(await braintree.provider.findRefund(refundOf(payment), reference)).toEqual({ is: 'succeeded', reference });
  });

  it('a part waits for it', async () => {
    const payment = await braintree.captured();
    expect(await braintree.provider.refund(refundOf(payment, 50_00))).toEqual({ is: 'waiting', reason: 'not_settled' });
    expect(braintree.double.book.refunds()).toEqual([]);
    braintree.double.settle();
    expect(await braintree.provider.refund(refundOf(payment, 50_00))).toMatchObject({ is: 'pending' });
  });

  it('a whole one waits too while it is under way', async () => {
    const payment = await braintree.captured();
    braintree.double.startSettling();
    expect(await braintree.provider.refund(refundOf(payment))).toEqual({ is: 'waiting', reason: 'not_settled' });
  });

  it('a void whose answer is lost is found', async () => {
    const payment = await braintree.captured();
    braintree.double.next('done-dropped', 'void');
    await expect(braintree.provider.refund(refundOf(payment))).rejects.toThrow('Braintree');
    expect(await braintree.provider.findRefund(refundOf(payment), null)).toMatchObject({ is: 'succeeded' });
  });

  it('a void that comes too late becomes a refund', async () => {
    const payment = await braintree.captured();
    braintree.double.settleAfterRead();
    expect(await braintree.provider.refund(refundOf(payment))).toMatchObject({ is: 'pending' });
  });

  it('nothing that was only held is refunded', async () => {
    const payment = await braintree.held();
    expect(await braintree.provider.refund(refundOf(payment))).toEqual({
      is: 'failed',
      reference: null,
      reason: 'Braintree: AUTHORIZED',
    });
    await braintree.provider.void({ ...payment, key: 'ord_1-void-1' });
    expect(await braintree.provider.refund(refundOf(payment))).toMatchObject({ is: 'failed' });
  });
});

describe('after the settlement', () => {
  async function settled() {
    const payment = await braintree.captured();
    braintree.double.settle();
    return payment;
  }

  it.each([120_50, 50_00])('a refund has our id, and is pending until it has settled: %i', async (cents) => {
    const payment = await settled();
    const request = refundOf(payment, cents);
    const outcome = await braintree.provider.refund(request);
    const [refund] = braintree.double.book.refunds(payment.reference);
    expect(refund).toMatchObject({ refundId: 'rf_1', amountCents: cents, state: 'pending' });
    expect(outcome).toEqual({ is: 'pending', reference: refund!.reference });
    braintree.double.settle();
    expect(await braintree.provider.findRefund(request, refund!.reference)).toEqual({
      is: 'succeeded',
      reference: refund!.reference,
    });
  });

  it.each(['the same key', 'a key that Braintree has forgotten', 'the next key'])('is made once: %s', async (which) => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    const first = await braintree.provider.refund(request);
    if (which === 'a key that Braintree has forgotten') braintree.double.forgetKeys();
    const again = which === 'the next key' ? { ...request, key: 'ord_1-refund-2' } : request;
    expect(await braintree.provider.refund(again)).toEqual(first);
    expect(braintree.double.book.refunds()).toHaveLength(1);
  });

  it.each(['done-dropped', 'done-silent'] as const)('is found if its answer is lost: %s', async (fault) => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    braintree.double.next(fault, 'refund');
    await expect(braintree.impatient.refund(request)).rejects.toThrow('Braintree');
    const [refund] = await until(() => {
      const made = braintree.double.book.refunds();
      return made.length > 0 && made;
    });
    expect(await braintree.provider.findRefund(request, null)).toEqual({
      is: 'pending',
      reference: refund!.reference,
    });
    braintree.double.forgetKeys();
    expect(await braintree.provider.refund(request)).toMatchObject({ is: 'pending' });
    expect(braintree.double.book.refunds()).toHaveLength(1);
  });

  const keysAsked = () => braintree.double.asked.filter(({ step }) => step === 'refund').map(({ key }) => key);

  it.each(['broken', 'done-broken'] as const)('is asked for again under its key after an error: %s', async (fault) => {
    const payment = await settled();
    braintree.double.next(fault, 'refund');
    expect(await braintree.provider.refund(refundOf(payment, 50_00))).toMatchObject({ is: 'pending' });
    expect(keysAsked()).toEqual(['ord_1-refund-rf_1', 'ord_1-refund-rf_1']);
    expect(braintree.double.book.refunds()).toHaveLength(1);
  });

  it('goes on under the next key if an error is kept under the first', async () => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    braintree.double.next('broken-saved', 'refund');
    const outcome = await braintree.provider.refund(request);
    expect(outcome).toMatchObject({ is: 'pending' });
    expect(keysAsked()).toEqual(['ord_1-refund-rf_1', 'ord_1-refund-rf_1', 'ord_1-refund-rf_1-next']);
    expect(await braintree.provider.refund(request)).toEqual(outcome);
    expect(braintree.double.book.refunds()).toHaveLength(1);
  });

  it('is not known while its key is at work', async () => {
    const payment = await settled();
    braintree.double.next('conflict', 'refund');
    await expect(braintree.provider.refund(refundOf(payment, 50_00))).rejects.toThrow('VALIDATION');
  });

  it('fails if more than is left is asked for', async () => {
    const payment = await settled();
    braintree.double.refundByHand(payment.reference, 100_00);
    expect(await braintree.provider.refund(refundOf(payment, 50_00))).toEqual({
      is: 'failed',
      reference: null,
      reason: 'Braintree refused the request: VALIDATION 91521',
    });
  });

  it('fails if all was given back at Braintree itself', async () => {
    const payment = await settled();
    braintree.double.refundByHand(payment.reference, 120_50);
    expect(await braintree.provider.refund(refundOf(payment))).toMatchObject({ is: 'failed', reference: null });
    expect(braintree.double.book.refunds()).toHaveLength(1);
  });

  it('is the refund that a late void made, whose answer was lost', async () => {
    const payment = await braintree.captured();
    braintree.double.settleAfterRead();
    braintree.double.next('done-dropped', 'void');
    await expect(braintree.provider.refund(refundOf(payment))).rejects.toThrow('Braintree');
    const [refund] = braintree.double.book.refunds();
    expect(await braintree.provider.refund(refundOf(payment))).toEqual({ is: 'pending', reference: refund!.reference });
    expect(braintree.double.book.refunds()).toHaveLength(1);
  });

  it('can fail days later', async () => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    await braintree.provider.refund(request);
    const [refund] = braintree.double.book.refunds();
    braintree.double.failRefund(refund!.reference);
    braintree.double.settle();
    expect(await braintree.provider.findRefund(request, refund!.reference)).toEqual({
      is: 'failed',
      reference: refund!.reference,
      reason: 'Braintree: FAILED',
    });
  });
});
