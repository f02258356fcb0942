import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.js';
import {
  type ConnectedBraintree,
  captureOf,
  connectedBraintree,
} from '../../../../test/support/payments/connected-braintree.js';

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

const releaseOf = (payment: Readonly<{ orderId: string; reference: string }>) => ({
  ...payment,
  key: `${payment.orderId}-void-1`,
});

describe('a capture', () => {
  it('takes the amount', async () => {
    const payment = await braintree.held();
    expect(await braintree.provider.capture(captureOf(payment))).toEqual({
      is: 'captured',
      amountCents: 120_50,
      fee: null,
    });
    expect(braintree.double.book.captured(payment.reference)).toBe(120_50);
  });

  it('takes a part and lets the rest go', async () => {
    const payment = await braintree.held();
    expect(await braintree.provider.capture(captureOf(payment, 100_00))).toMatchObject({ amountCents: 100_00 });
    expect(await braintree.provider.find(payment)).toEqual({ is: 'captured', amountCents: 100_00, fee: null });
  });

  it.each([
    ['the same key', 1],
    ['the next key', 2],
  ])('is done once under %s', async (_, number) => {
    const payment = await braintree.held();
    const first = await braintree.provider.capture(captureOf(payment));
    expect(await braintree.provider.capture(captureOf(payment, 120_50, number))).toEqual(first);
  });

  it('tells what was taken when its key had another amount', async () => {
    const payment = await braintree.held();
    await braintree.provider.capture(captureOf(payment, 100_00));
    expect(await braintree.provider.capture(captureOf(payment, 120_50))).toMatchObject({
      is: 'captured',
      amountCents: 100_00,
    });
  });

  it.each(['done-dropped', 'done-silent'] as const)('whose answer is lost is found: %s', async (fault) => {
    const payment = await braintree.held();
    braintree.double.next(fault, 'capture');
    await expect(braintree.impatient.capture(captureOf(payment))).rejects.toThrow('Braintree');
    await until(async () => (await braintree.provider.find(payment)).is === 'captured');
    expect(await braintree.provider.capture(captureOf(payment))).toMatchObject({
      is: 'captured',
      amountCents: 120_50,
    });
  });

  it.each(['broken', 'done-broken', 'broken-saved'] as const)('is tried again after an error: %s', async (fault) => {
    const payment = await braintree.held();
    braintree.double.next(fault, 'capture');
    expect(await braintree.provider.capture(captureOf(payment))).toMatchObject({ is: 'captured', amountCents: 120_50 });
  });

  it('fails for good once the hold is gone', async () => {
    const payment = await braintree.held();
    braintree.double.expire(payment.reference);
    expect(await braintree.provider.capture(captureOf(payment))).toMatchObject({ is: 'failed', gone: true });
    expect(await braintree.provider.find(payment)).toEqual({ is: 'voided' });
  });

  it('of more than is held fails, and the hold stays', async () => {
    const payment = await braintree.held();
    expect(await braintree.provider.capture(captureOf(payment, 200_00))).toMatchObject({ is: 'failed', gone: false });
    expect(await braintree.provider.find(payment)).toMatchObject({ is: 'authorised' });
  });

  it('of which the key is at work is not known', async () => {
    const payment = await braintree.held();
    braintree.double.next('conflict', 'capture');
    await expect(braintree.provider.capture(captureOf(payment))).rejects.toThrow('still at work');
  });
});

describe('a release', () => {
  it('lets the hold go, once', async () => {
    const payment = await braintree.held();
    expect(await braintree.provider.void(releaseOf(payment))).toBe('voided');
    expect(await braintree.provider.void(releaseOf(payment))).toBe('voided');
    expect(await braintree.provider.find(payment)).toEqual({ is: 'voided' });
    expect(braintree.double.asked.filter(({ step }) => step === 'void')).toHaveLength(1);
  });

  it.each(['before', 'after'])('never gives back what was captured: %s the settlement', async (when) => {
    const payment = await braintree.captured();
    if (when === 'after') braintree.double.settle();
    expect(await braintree.provider.void(releaseOf(payment))).toBe('captured');
    expect(braintree.double.book.charges()).toMatchObject([{ state: 'captured', refundedCents: 0 }]);
  });

  it('of an expired hold is done', async () => {
    const payment = await braintree.held();
    braintree.double.expire(payment.reference);
    expect(await braintree.provider.void(releaseOf(payment))).toBe('voided');
  });

  it('whose answer is lost is done when it is asked again', async () => {
    const payment = await braintree.held();
    braintree.double.next('done-dropped', 'void');
    await expect(braintree.provider.void(releaseOf(payment))).rejects.toThrow('Braintree');
    expect(await braintree.provider.void(releaseOf(payment))).toBe('voided');
  });
});

it('a payment that Braintree does not know is absent', async () => {
  expect(await braintree.provider.find({ orderId: 'ord_1', reference: 'dHJhbnNhY3Rpb25fbm9uZQ' })).toEqual({
    is: 'absent',
  });
});
