import { type Answer, CheckoutCalls } from '#client/checkout-calls';
import { resolveDependencies } from '#client/dependencies';
import type { Clock } from '#base/clock';
import type { Settings } from '#base/settings';
import { traceHeaders } from '#base/tracing';
import { ErrorBody } from '#web/error-body.contract';

export type PlatformSettings = Pick<Settings, 'PUBLIC_URL' | 'CHECKOUT_SCHEME'>;

// The queue schedules the retries of reads, and a person those of a click.
const ONE_TRY = { tries: 1, firstMs: 0, maxMs: 0 };

/** Calls this installation over HTTP, signed as the platform signs, within the active trace. */
export function platformCalls(
  { PUBLIC_URL, CHECKOUT_SCHEME: scheme }: PlatformSettings,
  clock: Clock,
  credentials: Readonly<{ clientId: string; secret: Buffer }>,
): CheckoutCalls {
  const dependencies = resolveDependencies({
    now: () => clock.now(),
    fetch: (url, { headers, ...request }) =>
      globalThis.fetch(url, { ...request, headers: { ...(headers as Record<string, string>), ...traceHeaders() } }),
  });
  return new CheckoutCalls({ url: `${PUBLIC_URL}/checkout`, scheme }, credentials, dependencies, {
    retryPolicy: ONE_TRY,
  });
}

/** Returns only the codes of an Error body: its messages may quote the request. */
export function codesIn({ body }: Answer): string {
  const { success, data } = ErrorBody.safeParse(body);
  return success ? ` (${data.errors.map(({ code }) => code).join(', ')})` : '';
}
