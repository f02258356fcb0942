import type Stripe from 'stripe';
import type { Authorised, Captured, Declined, ProviderPayment } from '../payment-provider.js';
import type { ProviderFee } from '../provider-answers.js';
import { authenticationDemanded, declined } from './declines.js';

/** Stripe's times are whole seconds since the epoch. */
export const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Stripe writes currencies small. */
export const currencyOf = (object: Readonly<{ currency: string }>): string => object.currency.toUpperCase();

/** A reference may be expanded to the object. */
export const idOf = (reference: string | Readonly<{ id: string }> | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

export const expanded = <T>(reference: string | T | null | undefined): T | undefined =>
  typeof reference === 'string' ? undefined : (reference ?? undefined);

/** With which `captured` knows the fee. */
export const WITH_FEE = ['latest_charge.balance_transaction'];

function authorised(intent: Stripe.PaymentIntent): Authorised {
  const captureBefore = expanded(intent.latest_charge)?.payment_method_details?.card?.capture_before;
  return {
    is: 'authorised',
    reference: intent.id,
    amountCents: intent.amount_capturable || intent.amount_received,
    captureBefore: captureBefore === undefined ? null : iso(captureBefore),
  };
}

/** The outcome of an attempt to authorise. Undefined if nothing has been attempted, or nothing can be any more. */
export function attempted(intent: Stripe.PaymentIntent): Authorised | Declined | undefined {
  if (intent.status === 'requires_capture' || intent.status === 'succeeded') return authorised(intent);
  if (intent.status === 'requires_action') return authenticationDemanded;
  if (intent.last_payment_error)
    return declined(intent.last_payment_error.code, intent.last_payment_error.decline_code);
  return undefined;
}

export function captured(intent: Stripe.PaymentIntent): Captured {
  const line = expanded(expanded(intent.latest_charge)?.balance_transaction);
  return { is: 'captured', amountCents: intent.amount_received, fee: line ? feeOf(line) : null };
}

/** The fee is in the line of the list that it reduces. */
export const feeOf = (line: Stripe.BalanceTransaction): ProviderFee => ({
  reference: line.id,
  amountCents: line.fee,
  currency: currencyOf(line),
});

/** @throws Error while Stripe itself does not know yet */
export function paymentOf(intent: Stripe.PaymentIntent): ProviderPayment {
  switch (intent.status) {
    case 'requires_capture':
      return authorised(intent);
    case 'succeeded':
      return captured(intent);
    case 'canceled':
      return { is: 'voided' };
    case 'processing':
      throw new Error('Stripe: the payment is still being processed.');
    default:
      return { is: 'absent' };
  }
}
