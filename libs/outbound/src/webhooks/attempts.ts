import {
  afterFailure,
  afterSuccess,
  type CircuitBreaker,
  type CircuitBreakerSettings,
} from '#delivery-kit/circuit-breaker';
import { attemptAfter, type TimedOutcome } from '#delivery-kit/attempt';
import { type RetryPolicy, waitAfter } from '#delivery-kit/retry-schedule';
import type { DueDelivery, WebhookAttempt } from './webhook-ledger.js';

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
): WebhookAttempt {
  const { position, orderId, tries } = due;
  const attempt = attemptAfter({ tries, dueSince: due.dueSince ?? timed.startedAt }, timed, retry);
  const made = { position, orderId, url, ...attempt };
  if (attempt.state !== 'parked' || breaker.state === 'closed') return made;
  // While the receiver is down, deliveries are not parked. They are all sent once it is back.
  return { ...made, state: 'pending', nextTryAt: timed.endedAt + waitAfter(tries + 1, retry, timed.fraction) };
}
