import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { Settings } from '#base/settings';
import type { PaymentProvider } from './payment-provider.js';
import { openStripe } from './stripe/stripe-client.js';
import { StripeProvider } from './stripe/stripe-provider.js';

type StripeSettings = Pick<
  Settings,
  'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL' | 'PAYMENT_TIMEOUT_MS'
>;

/**
 * The payment provider Stripe. Loads the package `stripe`, and connects with the first request.
 * @throws Error with the command that installs the package if that is missing, or with the names of the keys if one is missing
 */
export async function connectStripe(
  settings: StripeSettings,
  clock: Clock,
  randomness: Randomness,
): Promise<PaymentProvider> {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = settings;
  if (key === undefined || webhookSecret === undefined) {
    throw new Error('STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: must be set where payments are taken by stripe');
  }
  const stripe = await openStripe({ key, apiUrl, timeoutMs: settings.PAYMENT_TIMEOUT_MS });
  return new StripeProvider(stripe, webhookSecret, clock, randomness);
}
