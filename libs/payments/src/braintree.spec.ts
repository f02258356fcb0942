import { expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { connectBraintree } from './braintree.js';

it('Braintree is connected without a request', async () => {
  const settings = {
    BRAINTREE_MERCHANT_ID: 'merchant',
    BRAINTREE_PUBLIC_KEY: 'public',
    BRAINTREE_PRIVATE_KEY: 'private',
    PAYMENT_TIMEOUT_MS: 1_000,
  };
  const provider = await connectBraintree(settings, new FixedClock(), new SeededRandomness(1));
  expect(provider).toMatchObject({ name: 'braintree', takesCards: true });
});
