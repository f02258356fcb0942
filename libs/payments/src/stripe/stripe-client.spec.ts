import { describe, expect, it } from 'vitest';
import { openStripe } from './stripe-client.js';

const options = { key: 'sk_test_1', timeoutMs: 1_000 };

const field = async (apiUrl: string | undefined, name: 'host' | 'port' | 'protocol') => {
  const stripe = await openStripe({ ...options, apiUrl });
  return Reflect.get(Reflect.get(stripe, '_api') as object, name) as unknown;
};

describe('the client', () => {
  it.each([
    [undefined, ['api.stripe.com', '443', 'https']],
    ['https://stripe.example', ['stripe.example', '443', 'https']],
    ['http://127.0.0.1:4010', ['127.0.0.1', '4010', 'http']],
    ['http://[::1]:4010', ['::1', '4010', 'http']],
    ['http://localhost', ['localhost', '80', 'http']],
  ])('of %s asks %j', async (apiUrl, address) => {
    const asked = [await field(apiUrl, 'host'), String(await field(apiUrl, 'port')), await field(apiUrl, 'protocol')];
    expect(asked).toEqual(address);
  });
});
