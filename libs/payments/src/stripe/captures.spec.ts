import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FixedClock } from '../../../../test/support/fixed-clock.js';
import { connectedStripe, heldPayment } from '../../../../test/support/payments/connected-stripe.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import type { PaymentProvider } from '../payment-provider.js';

let double: StripeDouble;
let provider: PaymentProvider;
let clock: FixedClock;
let payment: Awaited<ReturnType<typeof heldPayment>>;

beforeEach(async () => {
  ({ double, provider, clock } = await connectedStripe(300));
  payment = await heldPayment(provider, 'ord_1');
});
afterEach(() => double.stop());

const captures = () => double.asked.filter(({ step }) => step === 'capture');
const voided = { key: 'ord_1-void-1' };

describe('a capture', () => {
  it('says what was taken, and the fee with the line in which Stripe lists it', async () => {
    const outcome = await provider.capture({ ...payment, amountCents: 8_000 });
    const [line] = double.book.lines;
    const fee = { reference: line?.id, amountCents: 262, currency: 'USD' };
    expect(outcome).toEqual({ is: 'captured', amountCents: 8_000, fee });
    expect(await provider.find(payment)).toEqual(outcome);
    expect(captures()).toEqual([{ step: 'capture', key: 'ord_1-capture-1' }]);
  });

  it.each(['done-broken', 'done-dropped', 'done-silent'] as const)(
    'is asked for after an answer that is %s',
    async (fault) => {
      double.next(fault, 'capture');
      expect(await provider.capture(payment)).toMatchObject({ is: 'captured', amountCents: 10_000 });
      expect(double.book.captured(payment.reference)).toBe(10_000);
    },
  );

  it.each(['refused', 'unauthorised', 'conflict', 'silent'] as const)(
    'that was not done because the answer is %s is an error, and may be asked for again',
    async (fault) => {
      double.next(fault, 'capture');
      await expect(provider.capture(payment)).rejects.toThrow(/^Stripe: capture failed/);
      expect(double.book.captured(payment.reference)).toBe(0);
      expect(await provider.capture(payment)).toMatchObject({ is: 'captured' });
    },
  );

  it('goes on under the next key when an error is kept under the first', async () => {
    double.next('broken-saved', 'capture');
    expect(await provider.capture(payment)).toMatchObject({ is: 'captured' });
    expect(captures().map(({ key }) => key)).toEqual([
      'ord_1-capture-1',
      'ord_1-capture-1',
      expect.stringMatching(/^ord_1-capture-1-req_double\d+$/),
    ]);
  });

  it('goes on under the next key when the first was used for another amount', async () => {
    double.next('broken-saved', 'capture');
    double.next('broken', 'read');
    await expect(provider.capture(payment)).rejects.toThrow('500');
    expect(await provider.capture({ ...payment, amountCents: 9_000 })).toMatchObject({ amountCents: 9_000 });
  });

  it('is made once when its key is too old to be known', async () => {
    await provider.capture(payment);
    clock.advance(86_400_000);
    double.forgetKeys();
    expect(await provider.capture(payment)).toMatchObject({ is: 'captured', amountCents: 10_000 });
    expect(double.book.lines).toHaveLength(1);
  });

  it('of a hold that has ended fails for good', async () => {
    double.expire(payment.reference);
    expect(await provider.capture(payment)).toEqual({ is: 'failed', reason: 'voided', gone: true });
    expect(await provider.find(payment)).toEqual({ is: 'voided' });
  });

  it('of more than is held fails, and leaves the hold', async () => {
    const outcome = await provider.capture({ ...payment, amountCents: 10_001 });
    expect(outcome).toEqual({ is: 'failed', reason: 'amount_too_large', gone: false });
    expect(await provider.find(payment)).toMatchObject({ is: 'authorised' });
  });

  it('of a payment that Stripe does not know is an error, because the account may be another one', async () => {
    const unknown = { ...payment, reference: 'pi_unknown' };
    await expect(provider.capture(unknown)).rejects.toThrow('404');
    expect(await provider.find(unknown)).toEqual({ is: 'absent' });
  });
});

describe('a release', () => {
  it.each(['done-broken', 'done-dropped', 'done-silent', 'broken-saved'] as const)(
    'is made once when an answer is %s',
    async (fault) => {
      double.next(fault, 'void');
      expect(await provider.void({ ...payment, ...voided })).toBe('voided');
      expect(double.book.charges()).toMatchObject([{ state: 'voided' }]);
    },
  );

  it.each(['refused', 'conflict', 'silent'] as const)(
    'that was not done because the answer is %s is an error',
    async (fault) => {
      double.next(fault, 'void');
      await expect(provider.void({ ...payment, ...voided })).rejects.toThrow(/^Stripe: void failed/);
      expect(await provider.find(payment)).toMatchObject({ is: 'authorised' });
    },
  );

  it('comes too late when the amount was taken', async () => {
    await provider.capture(payment);
    expect(await provider.void({ ...payment, ...voided })).toBe('captured');
  });

  it('of a hold that has ended by itself is done', async () => {
    double.expire(payment.reference);
    expect(await provider.void({ ...payment, ...voided })).toBe('voided');
  });
});

it('takes each payment once through requests of which every third fails', async () => {
  const held = [payment];
  for (let order = 2; order <= 40; order += 1) held.push(await heldPayment(provider, `ord_${order}`));
  double.fail({ seed: 7, rates: { 'done-dropped': 0.1, broken: 0.1, 'broken-saved': 0.05, 'done-broken': 0.1 } });
  for (const each of held) {
    for (let tries = 0, is = ''; is !== 'captured'; tries += 1) {
      if (tries > 20) throw new Error('It is never taken.');
      clock.advance(60_000);
      is = (await provider.capture(each).catch(() => undefined))?.is ?? '';
    }
  }
  expect(held.map(({ reference }) => double.book.captured(reference))).toEqual(held.map(() => 10_000));
  expect(double.book.lines).toHaveLength(held.length);
});
