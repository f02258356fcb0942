import { expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { connectBraintree } from './braintree.js';

const settings = {
  BRAINTREE_MERCHANT_ID: 'merchant',
  BRAINTREE_PUBLIC_KEY: 'public',
  BRAINTREE_PRIVATE_KEY: 'private',
  BRAINTREE_API_URL: undefined,
  PAYMENT_TIMEOUT_MS: 1_000,
};

const connected = (others: object = {}) =>
  connectBraintree({ ...settings, ...others }, new FixedClock(), new SeededRandomness(1));

it('Braintree is connected without a request', async () => {
  expect(await connected()).toMatchObject({ name: 'braintree', takesCards: true });
});

it.each(['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY', 'BRAINTREE_PRIVATE_KEY'])(
  'Braintree is not connected without its %s',
  async (name) => {
    await expect(connected({ [name]: undefined })).rejects.toThrow(name);
  },
);
