import type Stripe from 'stripe';
import type { PaymentMethod, PaymentRequest } from '../payment-provider.js';

/** Without the card: what is unconfirmed holds no money. */
export function intentParams({ orderId, amountCents, currency }: PaymentRequest): Stripe.PaymentIntentCreateParams {
  return {
    amount: amountCents,
    currency: currency.toLowerCase(),
    capture_method: 'manual',
    allowed_payment_method_types: ['card'],
    description: orderId,
    metadata: { order_id: orderId },
  };
}

/** Of cards and of tokens `tok_…`, which are no payment method yet. Undefined for the id of one. */
export function methodParams(method: PaymentMethod): Stripe.PaymentMethodCreateParams | undefined {
  if (method.type !== 'creditcard' && !method.token.startsWith('tok_')) return undefined;
  return { type: 'card', card: cardParams(method), billing_details: billingDetails(method.billing) };
}

function cardParams(method: PaymentMethod): Stripe.PaymentMethodCreateParams.Card {
  if (method.type !== 'creditcard') return { token: method.token };
  const { number, expiryMonth, expiryYear, cvv } = method.card;
  return { number, exp_month: expiryMonth, exp_year: expiryYear, cvc: cvv };
}

export function confirmParams(paymentMethod: string): Stripe.PaymentIntentConfirmParams {
  // There is no page of the bank's to which a buyer could be sent.
  return { payment_method: paymentMethod, error_on_requires_action: true, expand: ['latest_charge'] };
}

function billingDetails(billing: PaymentMethod['billing']): Stripe.PaymentMethodCreateParams.BillingDetails {
  const { first_name, last_name, address1, address2, city, state, zip, country } = billing;
  const address = { line1: address1, line2: address2, city, state, postal_code: zip, country };
  return { ...given({ name: `${first_name} ${last_name}`.trim() }), address: given(address) };
}

/** The fields that have a text. */
const given = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text ? [[name, text]] : [])));
