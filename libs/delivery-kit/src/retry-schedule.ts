/** The first wait, the longest wait, and the total time of retries. */
export type RetryPolicy = Readonly<{ firstMs: number; maxMs: number; forMs: number }>;

/** Times are in milliseconds since the epoch. */
export type FailedAttempt = Readonly<{
  /** Failed attempts since the delivery became due, including this one. */
  tries: number;
  dueSince: number;
  now: number;
  retryAfterMs?: number | undefined;
}>;

// A receiver that requests more than a day probably made a mistake, and would get no deliveries all that time.
export const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

// Jitter: the retries after an outage are spread over this fraction of the wait.
const SPREAD = 0.2;

/** Exponential backoff up to `maxMs`. `fraction` (0 to 1) is the jitter. */
export function waitAfter(tries: number, { firstMs, maxMs }: Omit<RetryPolicy, 'forMs'>, fraction: number): number {
  const longest = Math.min(maxMs, (firstMs / (1 - SPREAD)) * 2 ** (tries - 1));
  return Math.ceil(longest * (1 - SPREAD * (1 - fraction)));
}

/** In milliseconds since the epoch. The last attempt is due `forMs` after the delivery was due, or later if the receiver requested that. */
export function nextAttemptAt(settings: RetryPolicy, failed: FailedAttempt, fraction: number): number | undefined {
  const { tries, dueSince, now, retryAfterMs = 0 } = failed;
  const last = dueSince + settings.forMs;
  if (now >= last) return undefined;
  return Math.max(Math.min(now + waitAfter(tries, settings, fraction), last), now + retryAfterMs);
}

/** RFC 9110, 10.2.3: seconds or a date. Returns milliseconds from now, or undefined if malformed. */
export function retryAfterMs(header: string, now: number): number | undefined {
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

function httpDate(text: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : NaN;
}
