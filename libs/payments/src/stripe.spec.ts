import { afterAll, beforeAll, describe } from 'vitest';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import { stripeTestMode } from '../../../test/support/payments/stripe-test-mode.js';
import { type CaseSubject, providerCases } from '../../../test/support/payments/provider-cases.js';
import { StripeDouble } from '../../../test/support/payments/stripe-double.js';
import { connectStripe } from './stripe.js';

describe('Stripe', () => {
  let double: StripeDouble;
  let subject: CaseSubject;

  beforeAll(async () => {
    double = await StripeDouble.start();
    const {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: apiUrl,
    } = double.settings;
    const settings = { secretKey, webhookSecret, apiUrl, timeoutMs: 5_000 };
    subject = { ...stripeTestMode, provider: await connectStripe(settings, new SystemClock(), new SystemRandomness()) };
  });
  afterAll(() => double.stop());

  providerCases(() => subject);
});
