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
    const settings = { ...double.settings, PAYMENT_TIMEOUT_MS: 5_000 };
    subject = { ...stripeTestMode, provider: await connectStripe(settings, new SystemClock(), new SystemRandomness()) };
  });
  afterAll(() => double.stop());

  providerCases(() => subject);
});
