/** `tries` counts all tries. The wait before the second try is `firstMs`. No wait is longer than `maxMs`. */
export type RetryPolicy = Readonly<{ tries: number; firstMs: number; maxMs: number }>;

// Jitter keeps clients that failed together from returning together.
const JITTER = 0.2;

/** The wait (ms) after so many failed tries, doubling, at least the `Retry-After` and at most `maxMs`. Undefined after the last try. */
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
