import type Stripe from 'stripe';
import type { Clock } from '#base/clock';
import type { CaptureOutcome, CaptureRequest, HeldPayment, ProviderPayment } from '../payment-provider.js';
import { captured, paymentOf, WITH_FEE } from './intents.js';
import { underKey } from './keyed.js';
import { ask, StripeFault } from './stripe-fault.js';

const NOT_FOUND = 404;

/** Takes what is held, or lets it go. Stripe does either once for an intent, under any key. */
export class Captures {
  constructor(
    private readonly stripe: Stripe,
    private readonly clock: Clock,
  ) {}

  async find({ reference }: HeldPayment): Promise<ProviderPayment> {
    try {
      return paymentOf(await this.retrieve(reference));
    } catch (error) {
      if (error instanceof StripeFault && error.clues.status === NOT_FOUND) return { is: 'absent' };
      throw error;
    }
  }

  async capture({ reference, amountCents, key }: CaptureRequest): Promise<CaptureOutcome> {
    const params = { amount_to_capture: amountCents, expand: WITH_FEE };
    try {
      return await underKey<CaptureOutcome>(this.clock, {
        key,
        act: async (idempotencyKey) =>
          captured(
            await ask('capture', () => this.stripe.paymentIntents.capture(reference, params, { idempotencyKey })),
          ),
        look: () => this.ended(reference),
      });
    } catch (error) {
      if (!(error instanceof StripeFault) || !isOfPayment(error)) throw error;
      const reason = error.clues.code ?? 'refused';
      return (await this.ended(reference)) ?? { is: 'failed', reason, gone: false };
    }
  }

  async void({ reference, key }: HeldPayment & Readonly<{ key: string }>): Promise<'voided' | 'captured'> {
    try {
      return await underKey<'voided' | 'captured'>(this.clock, {
        key,
        act: async (idempotencyKey) => {
          await ask('void', () => this.stripe.paymentIntents.cancel(reference, {}, { idempotencyKey }));
          return 'voided';
        },
        look: () => this.released(reference),
      });
    } catch (error) {
      if (!(error instanceof StripeFault) || !isOfPayment(error)) throw error;
      return (await this.released(reference)) ?? Promise.reject(error);
    }
  }

  /** Undefined while the amount is held. */
  private async ended(reference: string): Promise<CaptureOutcome | undefined> {
    const payment = paymentOf(await this.retrieve(reference));
    if (payment.is === 'authorised') return undefined;
    return payment.is === 'captured' ? payment : { is: 'failed', reason: payment.is, gone: true };
  }

  private async released(reference: string): Promise<'voided' | 'captured' | undefined> {
    const payment = paymentOf(await this.retrieve(reference));
    return payment.is === 'voided' || payment.is === 'captured' ? payment.is : undefined;
  }

  private retrieve(reference: string): Promise<Stripe.PaymentIntent> {
    return ask('asking for a payment', () => this.stripe.paymentIntents.retrieve(reference, { expand: WITH_FEE }));
  }
}

/** Refused because of the payment, not because of us: a wrong key of the account, or another account's payment, ends no capture. */
const isOfPayment = ({ isRefusal, clues }: StripeFault): boolean =>
  isRefusal && (clues.status === 400 || clues.status === 402);
