import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BraintreeAccount, openAccount, refundOf } from '../../../../test/support/payments/braintree-account.js';

let account: BraintreeAccount;

beforeEach(async () => {
  account = await openAccount();
});
afterEach(() => account.double.stop());

describe('before the settlement', () => {
  it('a whole refund is a void', async () => {
    const payment = await account.captured();
    const reference = `void:${payment.reference}`;
    expect(await account.provider.refund(refundOf(payment))).toEqual({ is: 'succeeded', reference });
    expect(account.double.book.charges()).toMatchObject([{ state: 'voided', refundedCents: 120_50 }]);
    expect(await account.provider.refund(refundOf(payment))).toEqual({ is: 'succeeded', reference });
    expect(await account.provider.findRefund(refundOf(payment), reference)).toEqual({ is: 'succeeded', reference });
  });

  it('a part waits for it', async () => {
    const payment = await account.captured();
    expect(await account.provider.refund(refundOf(payment, 50_00))).toEqual({ is: 'waiting', reason: 'not_settled' });
    expect(account.double.book.refunds()).toEqual([]);
    account.double.settle();
    expect(await account.provider.refund(refundOf(payment, 50_00))).toMatchObject({ is: 'pending' });
  });

  it('a whole one waits too while it is under way', async () => {
    const payment = await account.captured();
    account.double.startSettling();
    expect(await account.provider.refund(refundOf(payment))).toEqual({ is: 'waiting', reason: 'not_settled' });
  });

  it('a void whose answer is lost is found', async () => {
    const payment = await account.captured();
    account.double.next('done-dropped', 'void');
    await expect(account.provider.refund(refundOf(payment))).rejects.toThrow('Braintree');
    expect(await account.provider.findRefund(refundOf(payment), null)).toMatchObject({ is: 'succeeded' });
  });

  it('a void that comes too late becomes a refund', async () => {
    const payment = await account.captured();
    account.double.settleAfterRead();
    expect(await account.provider.refund(refundOf(payment))).toMatchObject({ is: 'pending' });
  });

  it('nothing that was only held is refunded', async () => {
    const payment = await account.held();
    expect(await account.provider.refund(refundOf(payment))).toEqual({
      is: 'failed',
      reference: null,
      reason: 'Braintree: AUTHORIZED',
    });
    await account.provider.void({ ...payment, key: 'ord_1-void-1' });
    expect(await account.provider.refund(refundOf(payment))).toMatchObject({ is: 'failed' });
  });
});

describe('after the settlement', () => {
  async function settled() {
    const payment = await account.captured();
    account.double.settle();
    return payment;
  }

  it.each([120_50, 50_00])('a refund has our id, and is pending until it has settled: %i', async (cents) => {
    const payment = await settled();
    const request = refundOf(payment, cents);
    const outcome = await account.provider.refund(request);
    const [refund] = account.double.book.refunds(payment.reference);
    expect(refund).toMatchObject({ refundId: 'rf_1', amountCents: cents, state: 'pending' });
    expect(outcome).toEqual({ is: 'pending', reference: refund!.reference });
    account.double.settle();
    expect(await account.provider.findRefund(request, refund!.reference)).toEqual({
      is: 'succeeded',
      reference: refund!.reference,
    });
  });

  it.each(['the same key', 'a key that Braintree has forgotten', 'the next key'])('is made once: %s', async (which) => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    const first = await account.provider.refund(request);
    if (which === 'a key that Braintree has forgotten') account.double.forgetKeys();
    const again = which === 'the next key' ? { ...request, key: 'ord_1-refund-2' } : request;
    expect(await account.provider.refund(again)).toEqual(first);
    expect(account.double.book.refunds()).toHaveLength(1);
  });

  it.each(['done-broken', 'done-dropped', 'done-silent'] as const)(
    'is found if its answer is lost: %s',
    async (fault) => {
      const payment = await settled();
      const request = refundOf(payment, 50_00);
      account.double.next(fault, 'refund');
      await expect(account.provider.refund(request)).rejects.toThrow('Braintree');
      const [refund] = account.double.book.refunds();
      expect(await account.provider.findRefund(request, null)).toEqual({ is: 'pending', reference: refund!.reference });
      account.double.forgetKeys();
      expect(await account.provider.refund(request)).toMatchObject({ is: 'pending' });
      expect(account.double.book.refunds()).toHaveLength(1);
    },
  );

  it('goes on under the next key if an error is kept under the first', async () => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    account.double.next('broken-saved', 'refund');
    await expect(account.provider.refund(request)).rejects.toThrow('INTERNAL');
    expect(await account.provider.findRefund(request, null)).toEqual({ is: 'absent' });
    expect(await account.provider.refund({ ...request, key: 'ord_1-refund-2' })).toMatchObject({ is: 'pending' });
  });

  it('is not known while its key is at work', async () => {
    const payment = await settled();
    account.double.next('conflict', 'refund');
    await expect(account.provider.refund(refundOf(payment, 50_00))).rejects.toThrow('VALIDATION');
  });

  it('fails if more than is left is asked for', async () => {
    const payment = await settled();
    account.double.refundByHand(payment.reference, 100_00);
    expect(await account.provider.refund(refundOf(payment, 50_00))).toEqual({
      is: 'failed',
      reference: null,
      reason: 'Braintree refused the request: VALIDATION 91521',
    });
  });

  it('fails if all was given back at Braintree itself', async () => {
    const payment = await settled();
    account.double.refundByHand(payment.reference, 120_50);
    expect(await account.provider.refund(refundOf(payment))).toMatchObject({ is: 'failed', reference: null });
    expect(account.double.book.refunds()).toHaveLength(1);
  });

  it('is the refund that a late void made, whose answer was lost', async () => {
    const payment = await account.captured();
    account.double.settleAfterRead();
    account.double.next('done-dropped', 'void');
    await expect(account.provider.refund(refundOf(payment))).rejects.toThrow('Braintree');
    const [refund] = account.double.book.refunds();
    expect(await account.provider.refund(refundOf(payment))).toEqual({ is: 'pending', reference: refund!.reference });
    expect(account.double.book.refunds()).toHaveLength(1);
  });

  it('can fail days later', async () => {
    const payment = await settled();
    const request = refundOf(payment, 50_00);
    await account.provider.refund(request);
    const [refund] = account.double.book.refunds();
    account.double.failRefund(refund!.reference);
    account.double.settle();
    expect(await account.provider.findRefund(request, refund!.reference)).toEqual({
      is: 'failed',
      reference: refund!.reference,
      reason: 'Braintree: FAILED',
    });
  });
});
