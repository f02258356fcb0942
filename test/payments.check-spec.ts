import { beforeAll, describe } from 'vitest';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import type { PaymentProvider } from '#payments/payment-provider';
import { connectBraintree } from '#payments/braintree';
import { connectStripe } from '#payments/stripe';
import { braintreeTestMode } from './support/payments/braintree-test-mode.js';
import { type CaseSubject, providerCases } from './support/payments/provider-cases.js';
import { stripeTestMode } from './support/payments/stripe-test-mode.js';

type Checked = Readonly<{ name: string; connect: () => Promise<PaymentProvider>; mode: Omit<CaseSubject, 'provider'> }>;

/** The cases read no webhook. */
const UNUSED_SECRET = 'whsec_unused';
const TIMEOUT_MS = 30_000;
const BRAINTREE_SANDBOX = 'https://payments.sandbox.braintree-api.com/graphql';

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
  {
    name: 'braintree',
    connect: () => {
      const { BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY, BRAINTREE_PRIVATE_KEY } = process.env;
      const { BRAINTREE_API_URL = BRAINTREE_SANDBOX } = process.env;
      const keys = { BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY, BRAINTREE_PRIVATE_KEY, BRAINTREE_API_URL };
      return connectBraintree({ ...keys, PAYMENT_TIMEOUT_MS: TIMEOUT_MS }, new SystemClock(), new SystemRandomness());
    },
    mode: braintreeTestMode,
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
