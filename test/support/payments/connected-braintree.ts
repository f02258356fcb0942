import { SeededRandomness } from '#base/seeded-randomness';
import { connectBraintree } from '#payments/braintree';
import type {
  CaptureRequest,
  HeldPayment,
  PaymentMethod,
  PaymentRequest,
  RefundRequest,
} from '#payments/payment-provider';
import { FixedClock } from '../fixed-clock.js';
import { billingAddress } from '../purchase-bodies.js';
import { BraintreeDouble } from './braintree-double.js';

const PATIENT_MS = 10_000;
// The double is on this machine, and some of its faults are silent.
const IMPATIENT_MS = 500;
const SHORT_MS = 100;

const CARD = { number: '4111111111111111', expiryMonth: 12, expiryYear: 2030, cvv: '837' };
export type ConnectedBraintree = Awaited<ReturnType<typeof connectedBraintree>>;

/** The adapter, connected to a double of its own. */
export async function connectedBraintree({ currency = 'USD' } = {}) {
  const clock = new FixedClock();
  const double = await BraintreeDouble.start({ clock, currency });
  const connected = (timeoutMs: number) =>
    connectBraintree({ ...double.settings, PAYMENT_TIMEOUT_MS: timeoutMs }, clock, new SeededRandomness(1));
  const provider = await connected(PATIENT_MS);
  /** It soon stops waiting for an answer. */
  const impatient = await connected(IMPATIENT_MS);
  const signal = () => AbortSignal.timeout(PATIENT_MS);
  const shortSignal = () => AbortSignal.timeout(SHORT_MS);

  /** Holds the money of an order. */
  async function held(request: PaymentRequest = cardPayment()): Promise<HeldPayment> {
    const prepared = await provider.prepare(request, signal());
    const outcome = await provider.authorise(prepared, request, signal());
    if (outcome.is !== 'authorised') throw new Error(outcome.reason);
    return { orderId: request.orderId, reference: outcome.reference };
  }

  /** Takes the money of an order. */
  async function captured(request: PaymentRequest = cardPayment()): Promise<HeldPayment> {
    const payment = await held(request);
    await provider.capture(captureOf(payment, request.amountCents));
    return payment;
  }

  return { clock, double, provider, impatient, signal, shortSignal, held, captured };
}

/** 120.50 dollars by a card that every bank takes, unless other values are given. */
export function cardPayment({
  orderId = 'ord_1',
  amountCents = 120_50,
  card = {},
  billing = {},
}: Readonly<{ orderId?: string; amountCents?: number; card?: Partial<typeof CARD>; billing?: object }> = {}) {
  const method: PaymentMethod = {
    type: 'creditcard',
    card: { ...CARD, ...card },
    billing: { ...billingAddress, ...billing },
  };
  return { orderId, amountCents, currency: 'USD', method } satisfies PaymentRequest;
}

export const tokenPayment = (token: string, orderId = 'ord_1', amountCents = 120_50): PaymentRequest => ({
  orderId,
  amountCents,
  currency: 'USD',
  method: { type: 'providerb_token', token, billing: billingAddress },
});

export const captureOf = (payment: HeldPayment, amountCents = 120_50, number = 1): CaptureRequest => ({
  ...payment,
  amountCents,
  currency: 'USD',
  key: `${payment.orderId}-capture-${number}`,
});

/** All of 120.50, unless another amount is given. */
export const refundOf = (payment: HeldPayment, amountCents = 120_50, refundId = 'rf_1'): RefundRequest => ({
  ...payment,
  amountCents,
  currency: 'USD',
  refundId,
  key: `${payment.orderId}-refund-${refundId}`,
  isWhole: amountCents === 120_50,
});
