/** The first wait, the longest wait, and for how long there are tries; for pings PING_RETRY_FIRST_MS, _MAX_MS and _FOR_MS. */
export type RetryPolicy = Readonly<{ firstMs: number; maxMs: number; forMs: number }>;

/** A try that has just failed. Times in milliseconds since the epoch. */
export type FailedTry = Readonly<{
  /** Failed tries since the delivery became due, this one included. */
  tries: number;
  dueSince: number;
  now: number;
  /** What the receiver asked for by `Retry-After`. */
  retryAfterMs?: number | undefined;
}>;

// A receiver that asks for more than a day has made a mistake, and would get nothing for as long as it likes.
export const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

// Jitter: the deliveries of one outage are spread over this part of the wait.
const SPREAD = 0.2;

/** The wait after so many failed tries: exponential backoff, at most `maxMs`. `fraction` (0 to 1) is its jitter. */
export function waitAfter(tries: number, { firstMs, maxMs }: Omit<RetryPolicy, 'forMs'>, fraction: number): number {
  const longest = Math.min(maxMs, (firstMs / (1 - SPREAD)) * 2 ** (tries - 1));
  return Math.ceil(longest * (1 - SPREAD * (1 - fraction)));
}

/**
 * When the delivery is tried again, in milliseconds since the epoch; undefined when it is given up. The last try is due `forMs`
 * after the delivery was, unless the receiver asked for a later one.
 */
export function nextTry(settings: RetryPolicy, failed: FailedTry, fraction: number): number | undefined {
  const { tries, dueSince, now, retryAfterMs = 0 } = failed;
  const last = dueSince + settings.forMs;
  if (now >= last) return undefined;
  return Math.max(Math.min(now + waitAfter(tries, settings, fraction), last), now + retryAfterMs);
}

/** `Retry-After` (RFC 9110, 10.2.3: seconds or a date) as milliseconds from now; undefined for anything else. */
export function retryAfterMs(header: string, now: number): number | undefined {
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

/** Date.parse alone takes "2", "May" and much else for a date. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : NaN;
}
