import { beforeAll, describe } from 'vitest';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import type { PaymentProvider } from '#payments/payment-provider';
import { connectStripe } from '#payments/stripe';
import { type CaseSubject, providerCases } from './support/payments/provider-cases.js';
import { stripeTestMode } from './support/payments/stripe-test-mode.js';

type Checked = Readonly<{ name: string; connect: () => Promise<PaymentProvider>; mode: Omit<CaseSubject, 'provider'> }>;

/** The cases read no webhook. */
const UNUSED_SECRET = 'whsec_unused';
const TIMEOUT_MS = 30_000;

const PROVIDERS: readonly Checked[] = [
  {
    name: 'stripe',
    connect: () => {
      const { STRIPE_SECRET_KEY, STRIPE_API_URL, STRIPE_WEBHOOK_SECRET = UNUSED_SECRET } = process.env;
      const keys = { STRIPE_SECRET_KEY, STRIPE_API_URL, STRIPE_WEBHOOK_SECRET };
      return connectStripe({ ...keys, PAYMENT_TIMEOUT_MS: TIMEOUT_MS }, new SystemClock(), new SystemRandomness());
    },
    mode: stripeTestMode,
  },
];

// tools/payments-check.mjs says which ones have keys.
const checked = (process.env.PAYMENTS_CHECKED ?? '').split(',');

describe.each(PROVIDERS.filter(({ name }) => checked.includes(name)))('the test mode of $name', ({ connect, mode }) => {
  let subject: CaseSubject;
  beforeAll(async () => {
    subject = { ...mode, provider: await connect() };
  });
  providerCases(() => subject);
});
