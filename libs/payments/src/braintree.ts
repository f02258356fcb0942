import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { PaymentProvider } from './payment-provider.js';

/** The part of the settings that Braintree needs. */
export type BraintreeSettings = Readonly<{
  merchantId: string;
  publicKey: string;
  privateKey: string;
  /** The whole address. Undefined for that of production. */
  apiUrl: string | undefined;
  /** How long a request may be silent, in ms. */
  timeoutMs: number;
}>;

const PRODUCTION = 'https://payments.braintree-api.com/graphql';

// The second comes from the bundled programs, which load packages by require().
const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * The payment provider Braintree. Loads the package `braintree`, and connects with the first request.
 * @throws Error with the command that installs the package, if it is missing
 */
export async function connectBraintree(
  { merchantId, publicKey, privateKey, apiUrl = PRODUCTION, timeoutMs }: BraintreeSettings,
  clock: Clock,
  randomness: Randomness,
): Promise<PaymentProvider> {
  const { BraintreeGateway, Environment } = await loadPackage();
  const { BraintreeProvider } = await import('./braintree/braintree-provider.js');
  // It only checks signatures, so the environment has no meaning.
  const gateway = new BraintreeGateway({ environment: Environment.Production, merchantId, publicKey, privateKey });
  return new BraintreeProvider({ url: apiUrl, publicKey, privateKey, timeoutMs, clock, randomness }, gateway);
}

async function loadPackage(): Promise<typeof import('braintree')> {
  const { default: loaded } = await import('braintree').catch((error: NodeJS.ErrnoException) => {
    if (!MISSING.includes(error.code ?? '')) throw error;
    throw new Error(
      'The payment provider braintree needs the package "braintree", which is missing: npm install braintree@3',
    );
  });
  return loaded;
}
