import type Stripe from 'stripe';
import { loadOptional } from '../optional-package.js';

/** The part of the settings that Stripe needs. */
export type StripeSettings = Readonly<{
  secretKey: string;
  webhookSecret: string;
  /** Origin. Undefined for Stripe's own. */
  apiUrl: string | undefined;
  /** How long a request may be silent, in ms. */
  timeoutMs: number;
}>;

const PACKAGE = { provider: 'stripe', name: 'stripe', install: 'stripe@23' };

/**
 * The package is loaded only where it is used: it is large, and not installed everywhere.
 * @throws Error with the command that installs it, if it is missing
 */
export async function openStripe({ secretKey, apiUrl, timeoutMs }: StripeSettings): Promise<Stripe> {
  const { default: Client } = await loadOptional(PACKAGE, () => import('stripe'));
  return new Client(secretKey, {
    ...(apiUrl !== undefined && addressOf(apiUrl)),
    timeout: timeoutMs,
    // Who knows what was being done decides what may be repeated.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

function addressOf(apiUrl: string): Stripe.StripeConfig {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  // The package would take 443 for plain HTTP too.
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' };
}
