import type Stripe from 'stripe';
import type { Randomness } from '#base/randomness';
import {
  type Absent,
  type Authorised,
  type Declined,
  PaymentNotTaken,
  type PaymentRequest,
  type PreparedPayment,
  ProviderUnavailable,
} from '../payment-provider.js';
import { authenticationDemanded, declined, isBadToken } from './declines.js';
import { confirmParams, intentParams, methodParams } from './intent-request.js';
import { attempted, idOf } from './intents.js';
import { repeated } from './repeated.js';
import { ask, StripeFault } from './stripe-fault.js';

/** An intent that was confirmed, or cancelled, while nobody listened. */
const UNEXPECTED_STATE = 'payment_intent_unexpected_state';

/**
 * Holds money. An intent is made without a card first, and its id is kept: Stripe authorises one intent once, however often it is confirmed,
 * and says for ever what became of it. So nothing here needs a key of ours, which Stripe forgets after a day.
 */
export class Authorisation {
  constructor(
    private readonly stripe: Stripe,
    private readonly randomness: Randomness,
  ) {}

  /** @throws PaymentNotTaken whatever fails, because an intent without a card holds nothing */
  async prepare(request: PaymentRequest, signal: AbortSignal): Promise<PreparedPayment> {
    const intent = await repeated(signal, this.randomness, async () => {
      const customer = await this.customerOf(request);
      const params = { ...intentParams(request), ...(customer !== null && { customer }) };
      return ask('making a payment', () => this.stripe.paymentIntents.create(params));
    }).catch(notTaken);
    return { orderId: request.orderId, reference: intent.id, key: null };
  }

  async authorise(
    { reference }: PreparedPayment,
    request: PaymentRequest,
    signal: AbortSignal,
  ): Promise<Authorised | Declined> {
    const method = await repeated(signal, this.randomness, () => this.methodOf(request)).catch(notTaken);
    if (typeof method !== 'string') return method;
    let mayHaveTaken = false;
    try {
      return await repeated(signal, this.randomness, async () => {
        const before = mayHaveTaken;
        const known = before ? await this.ended(await this.retrieve(reference)) : undefined;
        if (known) return known;
        mayHaveTaken = true;
        try {
          return await this.confirm(reference, method, before);
        } catch (error) {
          mayHaveTaken = before || !(error instanceof StripeFault && error.didNothing);
          throw error;
        }
      });
    } catch (error) {
      return mayHaveTaken ? Promise.reject(error) : notTaken(error);
    }
  }

  async conclude({ reference }: PreparedPayment): Promise<Authorised | Declined | Absent> {
    const intent = await this.retrieve(reference);
    if (intent.status === 'processing') throw new Error('Stripe: the payment is still being processed.');
    const outcome = await this.ended(intent);
    if (outcome) return outcome;
    if (intent.status !== 'canceled') await this.cancel(reference);
    return { is: 'absent' };
  }

  /** Stripe's customer to whom a vaulted payment method belongs. Stripe takes it for payments of that customer alone. */
  private async customerOf({ method }: PaymentRequest): Promise<string | null> {
    if (method.type === 'creditcard' || !method.token.startsWith('pm_')) return null;
    try {
      const { customer } = await ask('asking for the token', () => this.stripe.paymentMethods.retrieve(method.token));
      return idOf(customer);
    } catch (error) {
      // Whether it can pay is said when it has to.
      if (error instanceof StripeFault && error.isRefusal) return null;
      throw error;
    }
  }

  /** The id of a payment method, or why the card cannot become one. */
  private async methodOf({ method }: PaymentRequest): Promise<string | Declined> {
    const params = methodParams(method);
    if (!params) return method.type === 'creditcard' ? declined(undefined, undefined) : method.token;
    try {
      const { id } = await ask('reading the card', () => this.stripe.paymentMethods.create(params));
      return id;
    } catch (error) {
      return declineOf(error) ?? Promise.reject(error);
    }
  }

  /** `isAnother`: nobody knows what became of an earlier confirmation. */
  private async confirm(reference: string, method: string, isAnother: boolean): Promise<Authorised | Declined> {
    try {
      const intent = await ask('authorising', () =>
        this.stripe.paymentIntents.confirm(reference, confirmParams(method)),
      );
      return await this.confirmed(intent);
    } catch (error) {
      if (error instanceof StripeFault && error.clues.code === UNEXPECTED_STATE) {
        return this.confirmed(await this.retrieve(reference));
      }
      const decline = declineOf(error);
      if (!decline) throw error;
      if (isAnother || decline.reason === authenticationDemanded.reason) await this.cancel(reference);
      return decline;
    }
  }

  private async confirmed(intent: Stripe.PaymentIntent): Promise<Authorised | Declined> {
    const outcome = await this.ended(intent);
    if (!outcome) throw new Error(`Stripe: the payment is ${intent.status} after it was confirmed.`);
    return outcome;
  }

  /** The outcome of an intent, if it has one. Another confirmation may still be under way: of a cancelled intent it holds nothing. */
  private async ended(intent: Stripe.PaymentIntent): Promise<Authorised | Declined | undefined> {
    const outcome = attempted(intent);
    if (outcome?.is === 'declined' && intent.status !== 'canceled') await this.cancel(intent.id);
    return outcome;
  }

  private retrieve(reference: string): Promise<Stripe.PaymentIntent> {
    return ask('asking for a payment', () =>
      this.stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }),
    );
  }

  private async cancel(reference: string): Promise<void> {
    await ask('cancelling', () => this.stripe.paymentIntents.cancel(reference));
  }
}

/** Undefined for an error that says nothing about the card or the token. */
function declineOf(error: unknown): Declined | undefined {
  if (!(error instanceof StripeFault)) return undefined;
  const { code, declineCode, param } = error.clues;
  if (error.isDecline || (error.isRefusal && isBadToken(code, param))) return declined(code, declineCode);
  return undefined;
}

/** Of an error after which certainly nothing is held. What Stripe refuses it will refuse again; anything else is a matter of the moment. */
function notTaken(error: unknown): never {
  if (!(error instanceof StripeFault)) throw new ProviderUnavailable('Stripe: no answer in time.');
  throw error.isRefusal ? new PaymentNotTaken(error.message) : new ProviderUnavailable(error.message);
}
