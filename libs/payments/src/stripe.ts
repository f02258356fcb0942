import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { PaymentProvider } from './payment-provider.js';
import { openStripe, type StripeSettings } from './stripe/stripe-client.js';
import { StripeProvider } from './stripe/stripe-provider.js';

/**
 * The payment provider Stripe. Loads the package `stripe`, and connects with the first request.
 * @throws Error with the command that installs the package, if it is missing
 */
export async function connectStripe(
  settings: StripeSettings,
  clock: Clock,
  randomness: Randomness,
): Promise<PaymentProvider> {
  return new StripeProvider(await openStripe(settings), settings.webhookSecret, clock, randomness);
}
