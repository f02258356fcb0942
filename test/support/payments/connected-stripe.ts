import type { Clock } from '#base/clock';
import { SeededRandomness } from '#base/seeded-randomness';
import type { CardData, PaymentMethod, PaymentProvider, PaymentRequest } from '#payments/payment-provider';
import { connectStripe } from '#payments/stripe';
import { FixedClock } from '../fixed-clock.js';
import { billingAddress as billing } from '../purchase-bodies.js';
import { StripeDouble } from './stripe-double.js';

type Connected = Readonly<{ double: StripeDouble; provider: PaymentProvider; clock: FixedClock }>;

/** A double of Stripe with the adapter that talks to it. */
export async function connectedStripe(timeoutMs = 5_000): Promise<Connected> {
  const clock = new FixedClock();
  const double = await StripeDouble.start(clock);
  return { double, clock, provider: await connectTo(double, clock, timeoutMs) };
}

function connectTo({ settings }: StripeDouble, clock: Clock, timeoutMs: number): Promise<PaymentProvider> {
  return connectStripe({ ...settings, PAYMENT_TIMEOUT_MS: timeoutMs }, clock, new SeededRandomness(1));
}

export function paidBy(card: Partial<CardData> = {}): PaymentMethod {
  const whole = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2_039, cvv: '741', ...card };
  return { type: 'creditcard', card: whole, billing };
}

export function paymentRequest(orderId: string, method = paidBy()): PaymentRequest {
  return { orderId, amountCents: 10_000, currency: 'USD', method };
}

/** Holds 100.00, and returns what a capture needs. */
export async function heldPayment(provider: PaymentProvider, orderId: string, method = paidBy()) {
  const request = paymentRequest(orderId, method);
  const signal = AbortSignal.timeout(10_000);
  const prepared = await provider.prepare(request, signal);
  const outcome = await provider.authorise(prepared, request, signal);
  if (outcome.is !== 'authorised') throw new Error(`Declined: ${outcome.reason}`);
  const { amountCents, currency } = request;
  return { orderId, reference: outcome.reference, amountCents, currency, key: `${orderId}-capture-1` };
}

export async function takenPayment(provider: PaymentProvider, orderId: string, method = paidBy()) {
  const payment = await heldPayment(provider, orderId, method);
  await provider.capture(payment);
  return payment;
}
