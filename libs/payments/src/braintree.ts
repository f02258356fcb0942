import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { Settings } from '#base/settings';
import { loadOptional } from '#base/optional-package';
import type { PaymentProvider } from './payment-provider.js';

type BraintreeSettings = Pick<
  Settings,
  | 'BRAINTREE_MERCHANT_ID'
  | 'BRAINTREE_PUBLIC_KEY'
  | 'BRAINTREE_PRIVATE_KEY'
  | 'BRAINTREE_API_URL'
  | 'PAYMENT_TIMEOUT_MS'
>;

const PRODUCTION = 'https://payments.braintree-api.com/graphql';

/**
 * The payment provider Braintree. Loads the package `braintree`, and connects with the first request.
 * @throws Error with the command that installs the package if that is missing, or with the names of the keys if one is missing
 */
export async function connectBraintree(
  settings: BraintreeSettings,
  clock: Clock,
  randomness: Randomness,
): Promise<PaymentProvider> {
  const { BRAINTREE_MERCHANT_ID: merchantId, BRAINTREE_PUBLIC_KEY: publicKey } = settings;
  const { BRAINTREE_PRIVATE_KEY: privateKey, BRAINTREE_API_URL: url = PRODUCTION } = settings;
  if (merchantId === undefined || publicKey === undefined || privateKey === undefined) {
    const names = 'BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY, BRAINTREE_PRIVATE_KEY';
    throw new Error(`${names}: must be set where payments are taken by braintree`);
  }
  const { default: braintree } = await loadOptional(
    { neededBy: 'The payment provider braintree', name: 'braintree', install: 'braintree@3' },
    () => import('braintree'),
  );
  const { BraintreeProvider } = await import('./braintree/braintree-provider.js');
  // It only checks signatures, so the environment has no meaning.
  const environment = braintree.Environment.Production;
  const gateway = new braintree.BraintreeGateway({ environment, merchantId, publicKey, privateKey });
  const timeoutMs = settings.PAYMENT_TIMEOUT_MS;
  return new BraintreeProvider({ url, publicKey, privateKey, timeoutMs, clock, randomness }, gateway);
}
