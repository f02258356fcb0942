/** How long to go on trying: `tries` in all, the wait before the second is `firstMs`, none is longer than `maxMs`. */
export type RetryPolicy = Readonly<{ tries: number; firstMs: number; maxMs: number }>;

// So that those who failed together do not come back together.
const JITTER = 0.2;

/**
 * The wait in milliseconds after so many failed tries; undefined when it is time to give up. It doubles with each try.
 * What the service asked for by `Retry-After` is waited for, up to `maxMs`.
 *
 * @param random gives a number from 0 to 1
 */
export function waitAfter(
  failed: Readonly<{ tries: number; retryAfterMs?: number | undefined }>,
  { tries, firstMs, maxMs }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (failed.tries >= tries) return undefined;
  const grown = firstMs * 2 ** (failed.tries - 1);
  const spread = Math.min(grown, maxMs) * (1 - JITTER * random());
  return Math.ceil(Math.min(Math.max(spread, failed.retryAfterMs ?? 0), maxMs));
}
