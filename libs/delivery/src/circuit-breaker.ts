import { waitAfter } from './retry-schedule.js';

/**
 * A circuit breaker (M. Nygard, Release It!, chapter 5): whether a receiver is sent to. Closed: yes. Open: not before `openUntil`
 * (milliseconds since the epoch). Half open: one delivery tries the receiver. Deliveries that it holds back stay pending.
 */
export type CircuitBreaker = Readonly<{
  state: 'closed' | 'open' | 'half_open';
  /** Failures in a row, while it is closed. */
  failures: number;
  /** How often in a row it has opened: the wait grows with it. */
  openings: number;
  openUntil: number | null;
}>;

export type CircuitBreakerSettings = Readonly<{ failuresToOpen: number; firstMs: number; maxMs: number }>;

export const CLOSED: CircuitBreaker = { state: 'closed', failures: 0, openings: 0, openUntil: null };

/** How many deliveries may be under way at `now`, of at most `most`. */
export function allowedAtOnce(breaker: CircuitBreaker, most: number, now: number): number {
  switch (breaker.state) {
    case 'closed':
      return most;
    case 'half_open':
      return 1;
    case 'open':
      return now < (breaker.openUntil ?? 0) ? 0 : 1;
  }
}

/** The breaker when a delivery begins: an open one is half open from then on. */
export function beginning(breaker: CircuitBreaker): CircuitBreaker {
  return breaker.state === 'open' ? { ...breaker, state: 'half_open', openUntil: null } : breaker;
}

/** The breaker after a success, also of a delivery that was under way when it opened: the receiver answers. */
export function afterSuccess(breaker: CircuitBreaker): CircuitBreaker {
  return breaker.state === 'closed' && breaker.failures === 0 ? breaker : CLOSED;
}

/** The breaker after a failure. `fraction` (0 to 1) is the jitter of its wait. */
export function afterFailure(
  breaker: CircuitBreaker,
  settings: CircuitBreakerSettings,
  now: number,
  fraction: number,
): CircuitBreaker {
  // A delivery that was under way when it opened tells nothing new.
  if (breaker.state === 'open') return breaker;
  const failures = breaker.failures + 1;
  if (breaker.state === 'closed' && failures < settings.failuresToOpen) return { ...breaker, failures };
  const openings = breaker.openings + 1;
  return { state: 'open', failures, openings, openUntil: now + waitAfter(openings, settings, fraction) };
}
