import type Stripe from 'stripe';
import { loadOptional } from '#base/optional-package';

/** `apiUrl`: an origin, undefined for Stripe's own. `timeoutMs`: how long a connection may be silent. */
type StripeOptions = Readonly<{ key: string; apiUrl: string | undefined; timeoutMs: number }>;

const PACKAGE = { neededBy: 'The payment provider stripe', name: 'stripe', install: 'stripe@23' };

/**
 * The package is loaded only where it is used: it is large, and not installed everywhere.
 * @throws Error with the command that installs it, if it is missing
 */
export async function openStripe({ key, apiUrl, timeoutMs }: StripeOptions): Promise<Stripe> {
  const { default: Client } = await loadOptional(PACKAGE, () => import('stripe'));
  return new Client(key, {
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
  // An address of IP version 6 stands in brackets there.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: port || (isPlain ? 80 : 443), protocol: isPlain ? 'http' : 'https' };
}
