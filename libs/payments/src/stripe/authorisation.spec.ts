import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectedStripe, paidBy, paymentRequest } from '../../../../test/support/payments/connected-stripe.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import {
  PaymentNotTaken,
  type PaymentProvider,
  type PreparedPayment,
  ProviderUnavailable,
} from '../payment-provider.js';

const request = paymentRequest('ord_1');
const patience = () => AbortSignal.timeout(10_000);
const hurry = () => AbortSignal.timeout(400);

let double: StripeDouble;
let provider: PaymentProvider;
let prepared: PreparedPayment;

beforeEach(async () => {
  ({ double, provider } = await connectedStripe());
  prepared = await provider.prepare(request, patience());
});
afterEach(() => double.stop());

const confirmations = () => double.asked.filter(({ step }) => step === 'authorise').length;
const state = () => double.book.charges().map((charge) => charge.state);

describe('preparing a payment', () => {
  it('makes an intent without a card, which holds nothing', () => {
    expect(prepared).toEqual({ orderId: 'ord_1', reference: expect.stringMatching(/^pi_/), key: null });
    expect(double.book.charges()).toMatchObject([{ orderId: 'ord_1', state: 'prepared', authorisedCents: 0 }]);
  });

  it.each(['refused', 'unauthorised', 'conflict', 'broken', 'done-broken'] as const)(
    'tries again after an answer that is %s',
    async (fault) => {
      double.next(fault, 'prepare');
      expect(await provider.prepare(request, patience())).toMatchObject({ orderId: 'ord_1' });
    },
  );

  it.each(['broken', 'silent', 'dropped', 'refused'] as const)(
    'is not possible when each answer is %s until the time is over',
    async (fault) => {
      double.fail({ seed: 1, rates: { [fault]: 1 } });
      await expect(provider.prepare(request, hurry())).rejects.toThrow(ProviderUnavailable);
    },
  );
});

describe('authorising a payment', () => {
  it('says until when the amount is held', async () => {
    const outcome = await provider.authorise(prepared, request, patience());
    expect(outcome).toEqual({
      is: 'authorised',
      reference: prepared.reference,
      amountCents: 10_000,
      captureBefore: '2026-11-28T12:00:00.000Z',
    });
  });

  it.each([
    ['4242424242424241', 40017, 'incorrect_number'],
    ['4000000000000127', 40035, 'incorrect_cvc'],
    ['4000000000000069', 40039, 'expired_card'],
    ['4000000000000036', 40024, 'incorrect_zip'],
    ['4000000000000028', 40038, 'incorrect_address'],
    ['4000000000009995', 40016, 'insufficient_funds'],
    ['4000002760003184', 40016, 'authentication_required'],
  ])('of the card %s is declined with %i', async (number, code, reason) => {
    const outcome = await provider.authorise(prepared, paymentRequest('ord_1', paidBy({ number })), patience());
    expect(outcome).toEqual({ is: 'declined', code, reason });
  });

  it('takes a vaulted payment method for the customer to whom it belongs', async () => {
    const vaulted = {
      id: 'pm_vaulted',
      number: '4242424242424242',
      month: 12,
      year: 2_039,
      name: null,
      customer: 'cus_1',
    };
    double.book.methods.set('pm_vaulted', vaulted);
    const method = { type: 'providera_token', token: 'pm_vaulted', billing: {} } as const;
    const vault = paymentRequest('ord_2', method);
    const outcome = await provider.authorise(await provider.prepare(vault, patience()), vault, patience());
    expect(outcome).toMatchObject({ is: 'authorised', amountCents: 10_000 });
  });

  it.each(['broken', 'done-broken'] as const)(
    'cancels a declined intent of which an earlier answer is %s, so that no late one holds anything',
    async (fault) => {
      double.next(fault, 'authorise');
      const expired = paymentRequest('ord_1', paidBy({ number: '4000000000000069' }));
      expect(await provider.authorise(prepared, expired, patience())).toMatchObject({ is: 'declined', code: 40039 });
      expect(state()).toEqual(['voided']);
    },
  );

  it('cancels an intent for which the bank wants to see the buyer', async () => {
    await provider.authorise(prepared, paymentRequest('ord_1', paidBy({ number: '4000002760003184' })), patience());
    expect(state()).toEqual(['voided']);
  });

  it('cancels it too where Stripe leaves the question to us', async () => {
    double.book.asksBuyers = true;
    const outcome = await provider.authorise(
      prepared,
      paymentRequest('ord_1', paidBy({ number: '4000002760003184' })),
      patience(),
    );
    expect(outcome).toMatchObject({ is: 'declined', code: 40016 });
    expect(state()).toEqual(['voided']);
  });

  it.each(['refused', 'unauthorised', 'broken', 'conflict'] as const)(
    'confirms again after an answer that is %s and did nothing',
    async (fault) => {
      double.next(fault, 'authorise');
      expect(await provider.authorise(prepared, request, patience())).toMatchObject({ is: 'authorised' });
      expect(confirmations()).toBe(2);
      expect(state()).toEqual(['authorised']);
    },
  );

  it('asks what became of it after an error that came when all was done', async () => {
    double.next('done-broken', 'authorise');
    expect(await provider.authorise(prepared, request, patience())).toMatchObject({ is: 'authorised' });
    expect(confirmations()).toBe(1);
  });

  it('takes the answer that was lost once', async () => {
    double.next('done-dropped', 'authorise');
    expect(await provider.authorise(prepared, request, patience())).toMatchObject({ is: 'authorised' });
    expect(double.book.charges()).toMatchObject([{ state: 'authorised', authorisedCents: 10_000 }]);
  });

  it.each(['refused', 'unauthorised'] as const)(
    'is not possible when each answer is %s until the time is over',
    async (fault) => {
      double.fail({ seed: 1, rates: { [fault]: 1 } });
      await expect(provider.authorise(prepared, request, hurry())).rejects.toThrow(ProviderUnavailable);
      expect(state()).toEqual(['prepared']);
    },
  );

  it('is not possible where nothing listens', async () => {
    await double.stop();
    await expect(provider.authorise(prepared, request, hurry())).rejects.toThrow(ProviderUnavailable);
  });

  it('says that nothing was taken when Stripe refuses the request itself', async () => {
    const error = await provider.prepare({ ...request, amountCents: 0 }, patience()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentNotTaken);
    expect(error).not.toBeInstanceOf(ProviderUnavailable);
    expect(error).toMatchObject({ message: expect.stringContaining('400, amount_too_small') });
    expect(double.asked).toHaveLength(2);
  });

  it.each(['silent', 'done-silent'] as const)(
    'does not say what was taken after an answer that is %s',
    async (fault) => {
      double.next(fault, 'authorise');
      const error = await provider.authorise(prepared, request, hurry()).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(PaymentNotTaken);
    },
  );

  it('does not say that nothing was taken after it was refused only the second time', async () => {
    double.next('broken', 'authorise');
    double.next('broken', 'read');
    double.fail({ seed: 1, rates: { refused: 1 } });
    const token = { ...request, method: { type: 'providera_token', token: 'pm_card_visa', billing: {} } } as const;
    const error = await provider.authorise(prepared, token, hurry()).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(PaymentNotTaken);
  });
});

describe('concluding a payment', () => {
  it('finds the hold of which nobody heard', async () => {
    double.next('done-silent', 'authorise');
    await provider.authorise(prepared, request, hurry()).catch(() => undefined);
    expect(await provider.conclude(prepared)).toMatchObject({ is: 'authorised', amountCents: 10_000 });
    expect(state()).toEqual(['authorised']);
  });

  it('finds the decline of which nobody heard', async () => {
    double.next('done-silent', 'authorise');
    const declined = paymentRequest('ord_1', paidBy({ number: '4000000000000069' }));
    await provider.authorise(prepared, declined, hurry()).catch(() => undefined);
    const outcome = { is: 'declined', code: 40039, reason: 'expired_card' };
    expect(await provider.conclude(prepared)).toEqual(outcome);
    expect(await provider.conclude(prepared)).toEqual(outcome);
  });

  it('ends what was never confirmed, so that a late confirmation holds nothing', async () => {
    expect(await provider.conclude(prepared)).toEqual({ is: 'absent' });
    await expect(provider.authorise(prepared, request, patience())).rejects.toThrow('is canceled');
    expect(state()).toEqual(['voided']);
  });

  it('says nothing while Stripe says nothing', async () => {
    double.next('broken', 'read');
    await expect(provider.conclude(prepared)).rejects.toThrow('Stripe: asking for a payment failed (500, ');
    double.next('broken', 'void');
    await expect(provider.conclude(prepared)).rejects.toThrow('Stripe: cancelling failed (500, ');
    expect(state()).toEqual(['prepared']);
  });

  it('does not take a payment of another account for one that never was', async () => {
    await expect(provider.conclude({ ...prepared, reference: 'pi_other' })).rejects.toThrow('404, resource_missing');
  });
});
