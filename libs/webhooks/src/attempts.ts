import {
  afterFailure,
  afterSuccess,
  type CircuitBreaker,
  type CircuitBreakerSettings,
} from '#delivery/circuit-breaker';
import { nextAttemptAt, type RetryPolicy, waitAfter } from '#delivery/retry-schedule';
import type { Attempt, DueDelivery } from './webhook-ledger.js';
import type { Answered } from './webhook-sender.js';

export type AttemptSettings = Readonly<{ retry: RetryPolicy; breaker: CircuitBreakerSettings }>;

/** An answer, when its attempt was made, and by what jitter (0 to 1) the next waits. Milliseconds since the epoch. */
export type Made = Readonly<{ answered: Answered; startedAt: number; endedAt: number; fraction: number }>;

const TOO_MANY_REQUESTS = 429;

/** What an attempt means for the receiver as a whole. */
export function breakerAfter(breaker: CircuitBreaker, settings: CircuitBreakerSettings, made: Made): CircuitBreaker {
  const { error, httpStatus } = made.answered;
  if (error === null) return afterSuccess(breaker);
  // It is there, and asks for a rest: that is for the rate limit.
  if (httpStatus === TOO_MANY_REQUESTS) return breaker;
  return afterFailure(breaker, settings, made.endedAt, made.fraction);
}

/** What an attempt means for its delivery. `breaker` is the one after it. */
export function attemptOf(
  due: DueDelivery,
  url: string,
  made: Made,
  breaker: CircuitBreaker,
  retry: RetryPolicy,
): Attempt {
  const { answered, startedAt, endedAt, fraction } = made;
  const { httpStatus, error, answer } = answered;
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
  const failed = { tries: due.tries + 1, dueSince, now: endedAt, retryAfterMs: answered.retryAfterMs };
  const nextTryAt = nextAttemptAt(retry, failed, fraction);
  if (nextTryAt !== undefined) return { ...done, ...seen, state: 'pending', nextTryAt };
  // What a receiver misses because it is away altogether is not given up: it is all sent once the receiver is back.
  if (breaker.state === 'closed') return { ...done, ...seen, state: 'parked', nextTryAt: null };
  return { ...done, ...seen, state: 'pending', nextTryAt: endedAt + waitAfter(failed.tries, retry, fraction) };
}
