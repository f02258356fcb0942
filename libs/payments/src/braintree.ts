import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { Settings } from '#base/settings';
import type { PaymentProvider } from './payment-provider.js';

export type BraintreeSettings = Pick<
  Settings,
  | 'BRAINTREE_MERCHANT_ID'
  | 'BRAINTREE_PUBLIC_KEY'
  | 'BRAINTREE_PRIVATE_KEY'
  | 'BRAINTREE_API_URL'
  | 'PAYMENT_TIMEOUT_MS'
>;

const PRODUCTION = 'https://payments.braintree-api.com/graphql';

/** @throws with the name of what is missing: a setting, or the package, which is an optional install */
export async function connectBraintree(
  settings: BraintreeSettings,
  { clock, randomness }: Readonly<{ clock: Clock; randomness: Randomness }>,
): Promise<PaymentProvider> {
  const merchantId = needed(settings, 'BRAINTREE_MERCHANT_ID');
  const publicKey = needed(settings, 'BRAINTREE_PUBLIC_KEY');
  const privateKey = needed(settings, 'BRAINTREE_PRIVATE_KEY');
  const { BraintreeGateway, Environment } = await loadPackage();
  const { BraintreeProvider } = await import('./braintree/braintree-provider.js');
  // It only checks signatures, so the environment has no meaning.
  const gateway = new BraintreeGateway({ environment: Environment.Production, merchantId, publicKey, privateKey });
  const url = settings.BRAINTREE_API_URL ?? PRODUCTION;
  const timeoutMs = settings.PAYMENT_TIMEOUT_MS;
  return new BraintreeProvider({ url, publicKey, privateKey, timeoutMs, clock, randomness }, gateway);
}

function needed(settings: BraintreeSettings, name: keyof BraintreeSettings & `BRAINTREE_${string}`): string {
  const value = settings[name];
  if (value === undefined) throw new Error(`${name}: must be set where payments are taken by braintree`);
  return value;
}

async function loadPackage(): Promise<typeof import('braintree')> {
  try {
    return (await import('braintree')).default;
  } catch (error) {
    const { code } = error as { code?: unknown };
    // The second comes from the bundled programs, which require() it.
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error('Payments by braintree need its package, which is an optional install: npm install braintree@3');
  }
}
