import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { Settings } from '#base/settings';
import { loadOptional } from './optional-package.js';
import type { PaymentProvider } from './payment-provider.js';

/** The part of the settings that Braintree needs. */
export type BraintreeSettings = Partial<
  Pick<Settings, 'BRAINTREE_MERCHANT_ID' | 'BRAINTREE_PUBLIC_KEY' | 'BRAINTREE_PRIVATE_KEY' | 'BRAINTREE_API_URL'>
> &
  Pick<Settings, 'PAYMENT_TIMEOUT_MS'>;

const PRODUCTION = 'https://payments.braintree-api.com/graphql';

/**
 * The payment provider Braintree. Loads the package `braintree`, and connects with the first request.
 * @throws Error with the command that installs the package, if it is missing
 */
export async function connectBraintree(
  settings: BraintreeSettings,
  clock: Clock,
  randomness: Randomness,
): Promise<PaymentProvider> {
  const { default: braintree } = await loadOptional(
    { provider: 'braintree', name: 'braintree', install: 'braintree@3' },
    () => import('braintree'),
  );
  const { BraintreeProvider } = await import('./braintree/braintree-provider.js');
  const keys = {
    // The settings' own rules ask for them.
    merchantId: settings.BRAINTREE_MERCHANT_ID ?? '',
    publicKey: settings.BRAINTREE_PUBLIC_KEY ?? '',
    privateKey: settings.BRAINTREE_PRIVATE_KEY ?? '',
  };
  // It only checks signatures, so the environment has no meaning.
  const gateway = new braintree.BraintreeGateway({ environment: braintree.Environment.Production, ...keys });
  const url = settings.BRAINTREE_API_URL ?? PRODUCTION;
  return new BraintreeProvider({ url, ...keys, timeoutMs: settings.PAYMENT_TIMEOUT_MS, clock, randomness }, gateway);
}
