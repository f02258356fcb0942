import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PaymentNotTaken, type PaymentRequest } from '../payment-provider.js';
import { until } from '../../../../test/support/until.js';
import {
  type BraintreeAccount,
  cardPayment,
  openAccount,
  tokenPayment,
} from '../../../../test/support/payments/braintree-account.js';

// The double is on this machine.
const SHORT_MS = 100;

let account: BraintreeAccount;

beforeEach(async () => {
  account = await openAccount();
});
afterEach(() => account.double.stop());

const prepared = (request: PaymentRequest) => account.provider.prepare(request, account.signal());

async function asked(request: PaymentRequest) {
  return await account.provider.authorise(await prepared(request), request, account.signal());
}

const stepsAsked = (step: string) => account.double.asked.filter((each) => each.step === step);

describe('a payment by card', () => {
  it('becomes a single-use method first, which holds nothing', async () => {
    const { orderId, reference, key } = await prepared(cardPayment());
    expect({ orderId, reference, key }).toEqual({
      orderId: 'ord_1',
      reference: expect.stringMatching(/^tokencc_/),
      key: 'ord_1-authorise-12050-USD',
    });
    expect(account.double.book.charges()).toEqual([]);
  });

  it('then holds the amount until the bank lets it go', async () => {
    const [charge] = await asked(cardPayment()).then(() => account.double.book.charges());
    expect(charge).toMatchObject({ orderId: 'ord_1', state: 'authorised', authorisedCents: 120_50, capturedCents: 0 });
    expect(await account.provider.find({ orderId: 'ord_1', reference: charge!.reference })).toEqual({
      is: 'authorised',
      reference: charge!.reference,
      amountCents: 120_50,
      captureBefore: '2026-11-28T12:00:00.000Z',
    });
  });

  it('is held once if it is asked for twice', async () => {
    const request = cardPayment();
    const known = await prepared(request);
    const first = await account.provider.authorise(known, request, account.signal());
    expect(await account.provider.authorise(known, request, account.signal())).toEqual(first);
    expect(account.double.book.charges()).toHaveLength(1);
  });
});

describe('a payment by token', () => {
  it('needs no request before it', async () => {
    expect(await prepared(tokenPayment('fake-valid-nonce'))).toMatchObject({ reference: 'fake-valid-nonce' });
    expect(account.double.asked).toEqual([]);
  });

  it.each(['fake-valid-nonce', 'vaulted-visa'])('holds the amount: %s', async (token) => {
    expect(await asked(tokenPayment(token))).toMatchObject({ is: 'authorised', amountCents: 120_50 });
  });

  it('is declined if Braintree does not know the token', async () => {
    expect(await asked(tokenPayment('no-such-nonce'))).toMatchObject({ is: 'declined', code: 40016 });
  });
});

describe('a decline', () => {
  it.each([
    ['2000.00', 'do not honour', 40016],
    ['2004.00', 'the card has expired', 40039],
    ['2005.00', 'the number is wrong', 40017],
    ['2006.00', 'the date is wrong', 40039],
    ['2010.00', 'the CVV is wrong', 40035],
    ['2059.00', 'the address is wrong', 40038],
    ['2060.00', 'address and CVV are wrong', 40035],
    ['2999.00', 'a code of its own', 40016],
  ])('of the bank has the code of the specification: %s, %s', async (dollars, _, code) => {
    expect(await asked(cardPayment({ amountCents: Number(dollars) * 100 }))).toMatchObject({ is: 'declined', code });
  });

  it.each([
    ['CVV', { card: { cvv: '200' } }, 40035],
    ['street', { billing: { address1: '200 Elm Street' } }, 40038],
    ['postal code', { billing: { zip: '20000' } }, 40024],
    ['street and postal code', { billing: { address1: '200 Elm Street', zip: '20000' } }, 40038],
    ['CVV and postal code', { card: { cvv: '200' }, billing: { zip: '20000' } }, 40035],
  ])('of the gateway has the code of the specification: %s', async (_, values, code) => {
    expect(await asked(cardPayment(values))).toMatchObject({ is: 'declined', code });
  });

  it('names the postal code if the bank does', async () => {
    const request = cardPayment({ amountCents: 2_059_00, billing: { zip: '20000' } });
    expect(await asked(request)).toMatchObject({ code: 40024 });
  });

  it('for fraud or risk has the general code', async () => {
    expect(await asked(tokenPayment('fake-gateway-rejected-fraud-nonce'))).toMatchObject({
      is: 'declined',
      code: 40016,
      reason: 'rejected by Braintree: FRAUD',
    });
  });

  it('is what a part of the amount is: it is released at once', async () => {
    expect(await asked(cardPayment({ amountCents: 1_004_00 }))).toMatchObject({ is: 'declined', code: 40016 });
    expect(account.double.book.charges()).toMatchObject([{ state: 'voided' }]);
  });
});

describe('a fault', () => {
  it('of the processor has taken nothing', async () => {
    await expect(asked(cardPayment({ amountCents: 3_000_00 }))).rejects.toThrow(PaymentNotTaken);
  });

  it.each(['refused', 'unauthorised'] as const)('that did nothing is tried again: %s', async (fault) => {
    account.double.next(fault, 'authorise');
    expect(await asked(cardPayment())).toMatchObject({ is: 'authorised' });
    expect(stepsAsked('authorise')).toHaveLength(2);
  });

  it.each(['broken', 'done-broken', 'dropped', 'done-dropped'] as const)(
    'after which nobody knows is tried again with the same key: %s',
    async (fault) => {
      account.double.next(fault, 'authorise');
      expect(await asked(cardPayment())).toMatchObject({ is: 'authorised' });
      expect(new Set(stepsAsked('authorise').map(({ key }) => key)).size).toBe(1);
      expect(account.double.book.charges()).toHaveLength(1);
    },
  );

  it('that did nothing each time says so', async () => {
    account.double.fail({ seed: 1, rates: { refused: 1 } });
    const known = { orderId: 'ord_1', reference: 'fake-valid-nonce', key: 'ord_1-authorise-12050-USD' };
    const request = tokenPayment('fake-valid-nonce');
    const authorising = account.provider.authorise(known, request, AbortSignal.timeout(SHORT_MS));
    await expect(authorising).rejects.toThrow(PaymentNotTaken);
  });

  it.each(['silent', 'done-silent', 'conflict', 'broken-saved'] as const)(
    'after which money may have moved does not say that none did: %s',
    async (fault) => {
      const request = cardPayment();
      const known = await prepared(request);
      account.double.next(fault, 'authorise');
      const error = await account.provider
        .authorise(known, request, account.signal())
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(PaymentNotTaken);
    },
  );

  it('that did nothing does not hide one after which nobody knows', async () => {
    const request = cardPayment();
    const known = await prepared(request);
    account.double.next('done-broken', 'authorise');
    account.double.fail({ seed: 1, rates: { refused: 1 } });
    const error = await account.provider.authorise(known, request, account.signal()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PaymentNotTaken);
    expect(account.double.book.charges()).toHaveLength(1);
  });

  it.each(['broken', 'dropped', 'silent'] as const)('before the authorisation took nothing: %s', async (fault) => {
    account.double.fail({ seed: 1, rates: { [fault]: 1 } });
    const preparing = account.provider.prepare(cardPayment(), AbortSignal.timeout(SHORT_MS));
    await expect(preparing).rejects.toThrow(PaymentNotTaken);
  });

  it('is a merchant account of another currency: what it held is released', async () => {
    const euros = await openAccount({ currency: 'EUR' });
    await expect(euros.held(cardPayment())).rejects.toThrow(PaymentNotTaken);
    expect(euros.double.book.charges()).toMatchObject([{ state: 'voided' }]);
    await euros.double.stop();
  });
});

describe('a payment without an answer', () => {
  async function unanswered(fault: 'silent' | 'done-silent', request: PaymentRequest = cardPayment()) {
    const known = await prepared(request);
    account.double.next(fault, 'authorise');
    const authorising = account.provider
      .authorise(known, request, AbortSignal.timeout(SHORT_MS))
      .catch(() => undefined);
    await until(() => stepsAsked('authorise').length > 0);
    await authorising;
    return known;
  }

  it('is found by the order', async () => {
    const known = await unanswered('done-silent');
    const [charge] = account.double.book.charges();
    expect(await account.provider.conclude(known)).toMatchObject({ is: 'authorised', reference: charge!.reference });
    expect(stepsAsked('authorise')).toHaveLength(1);
  });

  it('is declined if it was', async () => {
    const known = await unanswered('done-silent', cardPayment({ amountCents: 2_010_00 }));
    expect(await account.provider.conclude(known)).toMatchObject({ is: 'declined', code: 40035 });
  });

  it('can hold nothing later if it never came', async () => {
    const known = await unanswered('silent');
    expect(await account.provider.conclude(known)).toEqual({ is: 'absent' });
    expect(account.double.book.charges()).toMatchObject([{ state: 'voided' }]);
    expect(await account.provider.authorise(known, cardPayment(), account.signal()).catch(String)).toContain('VOIDED');
  });

  it('is released if the search does not show it yet', async () => {
    const known = await unanswered('done-silent');
    account.double.holdBackSearches(true);
    expect(await account.provider.conclude(known)).toEqual({ is: 'absent' });
    expect(account.double.book.charges()).toMatchObject([{ state: 'voided' }]);
  });

  it('is absent if its method can pay nothing any more', async () => {
    const known = await unanswered('silent');
    account.double.book.methods.delete(known.reference);
    expect(await account.provider.conclude(known)).toEqual({ is: 'absent' });
    expect(account.double.book.charges()).toEqual([]);
  });

  it.each(['refused', 'broken', 'dropped', 'silent'] as const)(
    'is not known while Braintree does not say: %s',
    async (fault) => {
      const known = await unanswered('done-silent');
      account.double.next(fault, 'read');
      await expect(account.provider.conclude(known)).rejects.toThrow('Braintree');
      expect(account.double.book.charges()).toMatchObject([{ state: 'authorised' }]);
    },
  );

  it('is not known while the same key is at work', async () => {
    const known = await unanswered('silent');
    account.double.next('conflict', 'authorise');
    await expect(account.provider.conclude(known)).rejects.toThrow('VALIDATION');
  });
});
