import { type RetryPolicy, waitAfter } from './retry-schedule.js';

/** M. Nygard, Release It!, chapter 5. While open, nothing is sent before `openUntil` (ms since the epoch); half open, one probe. */
export type CircuitBreaker = Readonly<{
  state: 'closed' | 'open' | 'half_open';
  failures: number;
  openings: number;
  openUntil: number | null;
}>;

export type CircuitBreakerSettings = Readonly<{ failuresToOpen: number; firstMs: number; maxMs: number }>;

// This many failures in a row are no minor problem.
const FAILURES_TO_OPEN = 10;

/** The waits of the breaker start like those of the retries. A receiver that is back is noticed within `longestMs`. */
export function breakerOf({ firstMs, maxMs }: Omit<RetryPolicy, 'forMs'>, longestMs: number): CircuitBreakerSettings {
  return { failuresToOpen: FAILURES_TO_OPEN, firstMs, maxMs: Math.min(maxMs, longestMs) };
}

export const CLOSED: CircuitBreaker = { state: 'closed', failures: 0, openings: 0, openUntil: null };

export function allowedConcurrency(breaker: CircuitBreaker, most: number, now: number): number {
  switch (breaker.state) {
    case 'closed':
      return most;
    case 'half_open':
      return 1;
    case 'open':
      return now < (breaker.openUntil ?? 0) ? 0 : 1;
  }
}

export function afterStart(breaker: CircuitBreaker): CircuitBreaker {
  return breaker.state === 'open' ? { ...breaker, state: 'half_open', openUntil: null } : breaker;
}

/** Even a delivery that began before the breaker opened proves that the receiver works. */
export function afterSuccess(breaker: CircuitBreaker): CircuitBreaker {
  return breaker.state === 'closed' && breaker.failures === 0 ? breaker : CLOSED;
}

/** `fraction` (0 to 1) is the jitter of the wait. */
export function afterFailure(
  breaker: CircuitBreaker,
  settings: CircuitBreakerSettings,
  now: number,
  fraction: number,
): CircuitBreaker {
  // A delivery that began before the breaker opened adds no information.
  if (breaker.state === 'open') return breaker;
  const failures = breaker.failures + 1;
  if (breaker.state === 'closed' && failures < settings.failuresToOpen) return { ...breaker, failures };
  const openings = breaker.openings + 1;
  return { state: 'open', failures, openings, openUntil: now + waitAfter(openings, settings, fraction) };
}
