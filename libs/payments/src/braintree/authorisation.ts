import {
  type Absent,
  type Authorised,
  type CardData,
  type Declined,
  MethodRefused,
  PaymentNotTaken,
  type PaymentRequest,
  type PreparedPayment,
  ProviderUnavailable,
} from '../payment-provider.js';
import { BraintreeFault, BraintreeRefusal } from './braintree-errors.js';
import { declined, declinedMethod } from './decline.js';
import { AUTHORISE, REVERSE, SEARCH_TRANSACTIONS, TOKENIZE_CARD } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';
import { everyNode } from './pages.js';
import { amountOf, captureBefore, centsOf, isTaken, type Transaction } from './payments.js';

type Outcome = Authorised | Declined | Absent;

/** Takes a purchase's payment: a single-use method first, which moves no money, then the authorisation under a key. */
export class Authorisation {
  constructor(private readonly connection: GraphqlConnection) {}

  async prepare(request: PaymentRequest, signal: AbortSignal): Promise<PreparedPayment> {
    const { orderId, method } = request;
    const key = keyOf(request);
    if (method.type !== 'creditcard') return { orderId, reference: method.token, key };
    const input = { creditCard: creditCard(method.card, method.billing) };
    try {
      const { tokenizeCreditCard } = await this.connection.insist<{
        tokenizeCreditCard: Readonly<{ paymentMethod: Readonly<{ id: string }> }>;
      }>(TOKENIZE_CARD, { input }, signal);
      return { orderId, reference: tokenizeCreditCard.paymentMethod.id, key };
    } catch (error) {
      // Without a payment method nothing can be taken, whatever went wrong.
      if (error instanceof BraintreeFault) throw new ProviderUnavailable(error.message);
      if (!(error instanceof BraintreeRefusal)) throw error;
      throw new MethodRefused(declinedMethod(error) ?? { is: 'declined', reason: error.message, code: 40016 });
    }
  }

  async authorise(
    prepared: PreparedPayment,
    { amountCents, currency }: PaymentRequest,
    signal: AbortSignal,
  ): Promise<Authorised | Declined> {
    const input = authoriseInput(prepared, amountCents);
    try {
      const { authorizePaymentMethod } = await this.connection.insist<Authorising>(AUTHORISE, { input }, signal);
      const { transaction } = authorizePaymentMethod;
      const outcome = await this.#outcomeOf(transaction, { amountCents, currency });
      if (outcome.is !== 'absent') return outcome;
      throw new PaymentNotTaken(`Braintree: ${transaction.status}, ${transaction.amount.currencyCode}`);
    } catch (error) {
      if (!(error instanceof BraintreeRefusal)) throw error;
      if (error.isOfKey) throw new BraintreeFault('the authorisation is still at work', false);
      const decline = declinedMethod(error);
      if (decline) return decline;
      throw new PaymentNotTaken(error.message);
    }
  }

  /**
   * What was not found is asked for again under its key, so that it cannot come later. It is not voided here: the request for it may have had its
   * answer, and the search not show it yet.
   */
  async conclude(prepared: PreparedPayment): Promise<Outcome> {
    const asked = askedIn(prepared);
    const known = await this.#find(prepared.orderId);
    if (known) return await this.#outcomeOf(known, asked);
    const input = authoriseInput(prepared, asked.amountCents);
    try {
      const { authorizePaymentMethod } = await this.connection.askOnce<Authorising>(AUTHORISE, input);
      const outcome = await this.#outcomeOf(authorizePaymentMethod.transaction, asked);
      return outcome.is === 'authorised' ? { is: 'absent', held: outcome } : outcome;
    } catch (error) {
      if (!(error instanceof BraintreeRefusal) || !declinedMethod(error)) throw error;
      // A method that was used up or has expired takes nothing any more. Perhaps the lost request used it.
      const late = await this.#find(prepared.orderId);
      return late ? await this.#outcomeOf(late, asked) : { is: 'absent' };
    }
  }

  /**
   * The merchant account has a currency of its own, and some cards pay a part. Neither is what the buyer was asked for, so it is voided.
   * @throws BraintreeFault while it is undecided
   */
  async #outcomeOf(transaction: Transaction, asked: Asked): Promise<Outcome> {
    const outcome = outcomeOf(transaction);
    if (outcome.is !== 'authorised' || isTaken(transaction)) return outcome;
    const isOtherCurrency = transaction.amount.currencyCode !== asked.currency;
    if (!isOtherCurrency && outcome.amountCents === asked.amountCents) return outcome;
    await this.#void(transaction.id);
    if (isOtherCurrency) return { is: 'absent' };
    return { is: 'declined', reason: 'the bank authorised only a part', code: 40016 };
  }

  /** @throws BraintreeFault also if it is refused: the amount may be held, so no refusal of the payment */
  async #void(transactionId: string): Promise<void> {
    try {
      await this.connection.askOnce(REVERSE, { transactionId, apiRequestKey: `${transactionId}-void` });
    } catch (error) {
      throw error instanceof BraintreeRefusal ? new BraintreeFault(error.message, false) : error;
    }
  }

  /** The order's transaction; of several, one that holds or has taken money. */
  async #find(orderId: string): Promise<Transaction | undefined> {
    const found: Transaction[] = [];
    const input = { orderId: { is: orderId } };
    for await (const node of everyNode<Transaction>(this.connection, SEARCH_TRANSACTIONS, input)) found.push(node);
    return found.find((each) => isTaken(each) || each.status === 'AUTHORIZED') ?? found[0];
  }
}

type Authorising = Readonly<{ authorizePaymentMethod: Readonly<{ transaction: Transaction }> }>;

type Asked = Readonly<{ amountCents: number; currency: string }>;

/** It has the amount, so that `conclude` can repeat the same request: with another amount the key would be refused. */
const keyOf = ({ orderId, amountCents, currency }: PaymentRequest): string =>
  `${orderId}-authorise-${amountCents}-${currency}`;

function askedIn({ orderId, key }: PreparedPayment): Asked {
  const [, amount, currency] = /-(\d+)-([A-Z]{3})$/.exec(key ?? '') ?? [];
  if (amount === undefined || currency === undefined) throw new Error(`${orderId}: not a key of Braintree's: ${key}`);
  return { amountCents: Number(amount), currency };
}

const authoriseInput = ({ orderId, reference, key }: PreparedPayment, amountCents: number) => ({
  paymentMethodId: reference,
  apiRequestKey: key ?? '',
  transaction: { amount: amountOf(amountCents), orderId },
});

function creditCard(card: CardData, billing: Readonly<Record<string, string>>) {
  return {
    number: card.number,
    expirationMonth: String(card.expiryMonth).padStart(2, '0'),
    expirationYear: String(card.expiryYear),
    cvv: card.cvv,
    cardholderName: [billing.first_name, billing.last_name].filter(Boolean).join(' '),
    billingAddress: {
      firstName: billing.first_name,
      lastName: billing.last_name,
      addressLine1: billing.address1,
      addressLine2: billing.address2,
      adminArea2: billing.city,
      adminArea1: billing.state,
      postalCode: billing.zip,
      countryCode: billing.country,
    },
  };
}

function outcomeOf(transaction: Transaction): Outcome {
  const { id: reference, status, amount } = transaction;
  if (status === 'PROCESSOR_DECLINED' || status === 'GATEWAY_REJECTED') return declined(transaction);
  if (status === 'AUTHORIZED' || isTaken(transaction)) {
    return { is: 'authorised', reference, amountCents: centsOf(amount), captureBefore: captureBefore(transaction) };
  }
  if (status === 'AUTHORIZING') throw new BraintreeFault('the bank has not answered yet', false);
  // VOIDED, AUTHORIZATION_EXPIRED, FAILED, SETTLEMENT_DECLINED
  return { is: 'absent' };
}
