import { afterEach, expect, it, vi } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { connectBraintree } from './braintree.js';

const SETTINGS = {
  merchantId: 'merchant',
  publicKey: 'public',
  privateKey: 'private',
  apiUrl: undefined,
  timeoutMs: 1_000,
};

const connect = () => connectBraintree(SETTINGS, new FixedClock(), new SeededRandomness(1));

afterEach(() => {
  vi.doUnmock('braintree');
  vi.resetModules();
});

it('connects without a request', async () => {
  expect(await connect()).toMatchObject({ name: 'braintree', takesCards: true });
});
