import {
  afterFailure,
  afterSuccess,
  type CircuitBreaker,
  type CircuitBreakerSettings,
} from '#delivery-kit/circuit-breaker';
import { nextAttemptAt, type RetryPolicy, waitAfter } from '#delivery-kit/retry-schedule';
import type { Attempt, DueDelivery } from './webhook-ledger.js';
import type { Outcome } from './webhook-sender.js';

/** Times are in milliseconds since the epoch. `fraction` (0 to 1) is the jitter of the next wait. */
export type TimedOutcome = Readonly<{ outcome: Outcome; startedAt: number; endedAt: number; fraction: number }>;

const TOO_MANY_REQUESTS = 429;

export function breakerAfter(
  breaker: CircuitBreaker,
  settings: CircuitBreakerSettings,
  timed: TimedOutcome,
): CircuitBreaker {
  const { error, httpStatus } = timed.outcome;
  if (error === null) return afterSuccess(breaker);
  // The receiver works. The rate limiter handles its request to slow down.
  if (httpStatus === TOO_MANY_REQUESTS) return breaker;
  return afterFailure(breaker, settings, timed.endedAt, timed.fraction);
}

/** `breaker` is the circuit breaker after the attempt. */
export function attemptOf(
  due: DueDelivery,
  url: string,
  timed: TimedOutcome,
  breaker: CircuitBreaker,
  retry: RetryPolicy,
): Attempt {
  const { outcome, startedAt, endedAt, fraction } = timed;
  const { httpStatus, error, answer } = outcome;
  const dueSince = due.dueSince ?? startedAt;
  const done = {
    position: due.position,
    orderId: due.orderId,
    url,
    startedAt,
    durationMs: Math.max(0, endedAt - startedAt),
    dueSince,
  };
  const seen = { httpStatus, error, answer };
  if (error === null) return { ...done, ...seen, state: 'delivered', nextTryAt: null };
  const failed = { tries: due.tries + 1, dueSince, now: endedAt, retryAfterMs: outcome.retryAfterMs };
  const nextTryAt = nextAttemptAt(retry, failed, fraction);
  if (nextTryAt !== undefined) return { ...done, ...seen, state: 'pending', nextTryAt };
  // While the receiver is down, deliveries are not parked. They are all sent once it is back.
  if (breaker.state === 'closed') return { ...done, ...seen, state: 'parked', nextTryAt: null };
  return { ...done, ...seen, state: 'pending', nextTryAt: endedAt + waitAfter(failed.tries, retry, fraction) };
}
