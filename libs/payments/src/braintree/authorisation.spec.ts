import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  PaymentNotTaken,
  type PaymentRequest,
  type PreparedPayment,
  ProviderUnavailable,
} from '../payment-provider.js';
import { until } from '../../../../test/support/until.js';
import {
  type ConnectedBraintree,
  cardPayment,
  connectedBraintree,
  tokenPayment,
} from '../../../../test/support/payments/connected-braintree.js';

// It ends in the pause after the third try.
const A_SECOND = 1_000;

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

const prepared = (request: PaymentRequest) => braintree.provider.prepare(request, braintree.signal());

async function asked(request: PaymentRequest) {
  return await braintree.provider.authorise(await prepared(request), request, braintree.signal());
}

const stepsAsked = (step: string) => braintree.double.asked.filter((each) => each.step === step);

/** The error of an authorisation that is given up as soon as `condition` holds. */
async function givenUp(known: PreparedPayment, request: PaymentRequest, condition: () => boolean): Promise<unknown> {
  const patience = new AbortController();
  const error = braintree.provider.authorise(known, request, patience.signal).catch((caught: unknown) => caught);
  await until(condition);
  patience.abort();
  return await error;
}

describe('a payment by card', () => {
  it('becomes a single-use method first, which holds nothing', async () => {
    const { orderId, reference, key } = await prepared(cardPayment());
    expect({ orderId, reference, key }).toEqual({
      orderId: 'ord_1',
      reference: expect.stringMatching(/^tokencc_/),
      key: 'ord_1-authorise-12050-USD',
    });
    expect(braintree.double.book.charges()).toEqual([]);
  });

  it('then holds the amount until the bank lets it go', async () => {
    const [charge] = await asked(cardPayment()).then(() => braintree.double.book.charges());
    expect(charge).toMatchObject({ orderId: 'ord_1', state: 'authorised', authorisedCents: 120_50, capturedCents: 0 });
    expect(await braintree.provider.find({ orderId: 'ord_1', reference: charge!.reference })).toEqual({
      is: 'authorised',
      reference: charge!.reference,
      amountCents: 120_50,
      captureBefore: '2026-11-28T12:00:00.000Z',
    });
  });

  it('is held once if it is asked for twice', async () => {
    const request = cardPayment();
    const known = await prepared(request);
    const first = await braintree.provider.authorise(known, request, braintree.signal());
    expect(await braintree.provider.authorise(known, request, braintree.signal())).toEqual(first);
    expect(braintree.double.book.charges()).toHaveLength(1);
  });
});

describe('a payment by token', () => {
  it('needs no request before it', async () => {
    expect(await prepared(tokenPayment('fake-valid-nonce'))).toMatchObject({ reference: 'fake-valid-nonce' });
    expect(braintree.double.asked).toEqual([]);
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
    expect(braintree.double.book.charges()).toMatchObject([{ state: 'voided' }]);
  });
});

describe('a fault', () => {
  it('of the processor has taken nothing', async () => {
    const error = await asked(cardPayment({ amountCents: 3_000_00 })).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PaymentNotTaken);
    expect(error).not.toBeInstanceOf(ProviderUnavailable);
  });

  it.each(['refused', 'unauthorised'] as const)('that did nothing is tried again: %s', async (fault) => {
    braintree.double.next(fault, 'authorise');
    expect(await asked(cardPayment())).toMatchObject({ is: 'authorised' });
    expect(stepsAsked('authorise')).toHaveLength(2);
  });

  it.each(['broken', 'done-broken', 'dropped', 'done-dropped'] as const)(
    'after which nobody knows is tried again with the same key: %s',
    async (fault) => {
      braintree.double.next(fault, 'authorise');
      expect(await asked(cardPayment())).toMatchObject({ is: 'authorised' });
      expect(new Set(stepsAsked('authorise').map(({ key }) => key)).size).toBe(1);
      expect(braintree.double.book.charges()).toHaveLength(1);
    },
  );

  it('is waited for while the first try is still at work', async () => {
    braintree.double.next('done-dropped', 'authorise');
    braintree.double.next('conflict', 'authorise');
    expect(await asked(cardPayment())).toMatchObject({ is: 'authorised' });
    expect(stepsAsked('authorise')).toHaveLength(3);
    expect(braintree.double.book.charges()).toHaveLength(1);
  });

  it('that did nothing each time says so', async () => {
    braintree.double.fail({ seed: 1, rates: { refused: 1 } });
    const known = { orderId: 'ord_1', reference: 'fake-valid-nonce', key: 'ord_1-authorise-12050-USD' };
    const request = tokenPayment('fake-valid-nonce');
    const authorising = braintree.provider.authorise(known, request, AbortSignal.timeout(A_SECOND));
    await expect(authorising).rejects.toThrow(ProviderUnavailable);
  });

  it.each([
    ['silent', 1],
    ['done-silent', 1],
    ['conflict', 1],
    ['broken-saved', 2],
  ] as const)('after which money may have moved does not say that none did: %s', async (fault, requests) => {
    const request = cardPayment();
    const known = await prepared(request);
    braintree.double.next(fault, 'authorise');
    const error = await givenUp(known, request, () => stepsAsked('authorise').length >= requests);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PaymentNotTaken);
  });

  it('that did nothing does not hide one after which nobody knows', async () => {
    const request = cardPayment();
    const known = await prepared(request);
    braintree.double.next('done-broken', 'authorise');
    braintree.double.fail({ seed: 1, rates: { refused: 1 } });
    const error = await givenUp(known, request, () => stepsAsked('authorise').length >= 2);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PaymentNotTaken);
    expect(braintree.double.book.charges()).toHaveLength(1);
  });

  it.each(['broken', 'dropped', 'silent'] as const)('before the authorisation took nothing: %s', async (fault) => {
    braintree.double.fail({ seed: 1, rates: { [fault]: 1 } });
    const preparing = braintree.provider.prepare(cardPayment(), braintree.shortSignal());
    await expect(preparing).rejects.toThrow(ProviderUnavailable);
  });

  it.each(['conflict', 'dropped'] as const)('of the release of a part leaves open what is held: %s', async (fault) => {
    braintree.double.next(fault, 'void');
    const request = cardPayment({ amountCents: 1_004_00 });
    const error = await asked(request).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PaymentNotTaken);
    const known = { orderId: 'ord_1', reference: '', key: 'ord_1-authorise-100400-USD' };
    expect(await braintree.provider.conclude(known)).toMatchObject({ is: 'declined', code: 40016 });
    expect(braintree.double.book.charges()).toMatchObject([{ state: 'voided' }]);
  });

  it('is a merchant account of another currency: what it held is released', async () => {
    const euros = await connectedBraintree({ currency: 'EUR' });
    await expect(euros.held(cardPayment())).rejects.toThrow(PaymentNotTaken);
    expect(euros.double.book.charges()).toMatchObject([{ state: 'voided' }]);
    await euros.double.stop();
  });
});

describe('a payment without an answer', () => {
  async function unanswered(fault: 'silent' | 'done-silent', request: PaymentRequest = cardPayment()) {
    const known = await prepared(request);
    braintree.double.next(fault, 'authorise');
    await givenUp(known, request, () =>
      fault === 'silent' ? stepsAsked('authorise').length > 0 : braintree.double.book.charges().length > 0,
    );
    return known;
  }

  /** Releases what it held. */
  async function concludedWithHold(known: PreparedPayment): Promise<void> {
    const { orderId } = known;
    const concluded = await braintree.provider.conclude(known);
    const [{ reference } = { reference: '' }] = braintree.double.book.charges();
    expect(concluded).toMatchObject({ is: 'absent', held: { is: 'authorised', reference } });
    await braintree.provider.void({ orderId, reference, key: `${orderId}-void-1` });
    expect(braintree.double.book.charges()).toMatchObject([{ reference, state: 'voided' }]);
    expect(await braintree.provider.conclude(known)).toEqual({ is: 'absent' });
  }

  it('is found by the order', async () => {
    const known = await unanswered('done-silent');
    const [charge] = braintree.double.book.charges();
    expect(await braintree.provider.conclude(known)).toMatchObject({ is: 'authorised', reference: charge!.reference });
    expect(stepsAsked('authorise')).toHaveLength(1);
  });

  it('is declined if it was', async () => {
    const known = await unanswered('done-silent', cardPayment({ amountCents: 2_010_00 }));
    expect(await braintree.provider.conclude(known)).toMatchObject({ is: 'declined', code: 40035 });
  });

  it('can hold nothing later if it never came', async () => {
    const known = await unanswered('silent');
    await concludedWithHold(known);
    expect(await braintree.provider.authorise(known, cardPayment(), braintree.signal()).catch(String)).toContain(
      'VOIDED',
    );
  });

  it('is to be released if the search does not show it yet', async () => {
    const known = await unanswered('done-silent');
    braintree.double.holdBackSearches(1);
    await concludedWithHold(known);
  });

  it('can hold nothing later if an error is kept under its key', async () => {
    const known = await unanswered('silent');
    braintree.double.next('broken-saved', 'authorise');
    await concludedWithHold(known);
  });

  it('is found late if it used up its method', async () => {
    const known = await unanswered('done-silent');
    braintree.double.holdBackSearches(1);
    braintree.double.forgetKeys();
    expect(await braintree.provider.conclude(known)).toMatchObject({ is: 'authorised' });
    expect(braintree.double.book.charges()).toHaveLength(1);
  });

  it('is absent if its method can pay nothing any more', async () => {
    const known = await unanswered('silent');
    braintree.double.book.methods.delete(known.reference);
    expect(await braintree.provider.conclude(known)).toEqual({ is: 'absent' });
    expect(braintree.double.book.charges()).toEqual([]);
  });

  it.each(['refused', 'broken', 'dropped', 'silent'] as const)(
    'is not known while Braintree does not say: %s',
    async (fault) => {
      const known = await unanswered('done-silent');
      braintree.double.next(fault, 'read');
      await expect(braintree.impatient.conclude(known)).rejects.toThrow('Braintree');
      expect(braintree.double.book.charges()).toMatchObject([{ state: 'authorised' }]);
    },
  );

  it('is not known while the same key is at work', async () => {
    const known = await unanswered('silent');
    braintree.double.next('conflict', 'authorise');
    await expect(braintree.provider.conclude(known)).rejects.toThrow('VALIDATION');
  });
});
