import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CircuitBreaker, CLOSED } from '#delivery-kit/circuit-breaker';
import type { TimedOutcome } from '#delivery-kit/attempt';
import { attemptOf, breakerAfter } from './attempts.js';
import type { DueDelivery } from './webhook-ledger.js';

const RETRY = { firstMs: 5_000, maxMs: 36_000_000, forMs: 270_000_000 };
const BREAKER = { failuresToOpen: 3, firstMs: 5_000, maxMs: 300_000 };
const OPEN: CircuitBreaker = { state: 'open', failures: 3, openings: 1, openUntil: 10 };
const DUE: DueDelivery = {
  position: 7,
  orderId: 'ord_1',
  tries: 0,
  dueSince: null,
  type: 'order.status',
  id: 'png_1',
  occurred_at: '',
  json: '{}',
  traceparent: null,
};

function timed(httpStatus: number | null, endedAt = 1_000, retryAfterMs?: number, fraction = 0): TimedOutcome {
  const error = httpStatus !== null && httpStatus < 300 ? null : 'it failed';
  return { outcome: { httpStatus, error, answer: null, retryAfterMs }, startedAt: endedAt - 100, endedAt, fraction };
}

describe('an attempt', () => {
  it('with a 2xx response delivers', () => {
    expect(attemptOf(DUE, 'https://a', timed(204), CLOSED, RETRY)).toMatchObject({
      state: 'delivered',
      nextTryAt: null,
      durationMs: 100,
      url: 'https://a',
    });
  });

  it('that fails is retried by the schedule until the delivery is parked', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (chances) => {
        let [now, due] = [5_000_000, DUE];
        for (let tries = 1; tries < 100; tries += 1) {
          const attempt = attemptOf(due, '', timed(500, now, undefined, chances.next().value), CLOSED, RETRY);
          expect(attempt.dueSince).toBe(5_000_000 - 100);
          if (attempt.state === 'parked') {
            expect(now).toBe(attempt.dueSince + RETRY.forMs);
            return;
          }
          const wait = (attempt.nextTryAt ?? 0) - now;
          expect(wait).toBeLessThanOrEqual(RETRY.maxMs);
          const isLast = attempt.nextTryAt === attempt.dueSince + RETRY.forMs;
          if (!isLast)
            expect(wait).toBeGreaterThanOrEqual(Math.min(RETRY.firstMs * 2 ** (tries - 1), RETRY.maxMs * 0.8));
          due = { ...due, tries, dueSince: attempt.dueSince };
          now = attempt.nextTryAt ?? 0;
        }
        expect.unreachable('it is never parked');
      }),
    );
  });

  it('waits as long as the receiver requests', () => {
    expect(attemptOf(DUE, '', timed(503, 1_000, 60_000), CLOSED, RETRY).nextTryAt).toBe(61_000);
    expect(attemptOf(DUE, '', timed(503, 1_000, 1), CLOSED, RETRY).nextTryAt).toBe(6_000);
  });

  it('parks nothing while the receiver is down', () => {
    const tried = { ...DUE, tries: 20, dueSince: 0 };
    const late = timed(500, RETRY.forMs + 1);
    expect(attemptOf(tried, '', late, CLOSED, RETRY)).toMatchObject({ state: 'parked', nextTryAt: null });
    const lateAttempt = attemptOf(tried, '', late, OPEN, RETRY);
    expect(lateAttempt.state).toBe('pending');
    expect(lateAttempt.nextTryAt).toBeGreaterThan(late.endedAt);
  });
});

describe('the breaker', () => {
  it('counts failures, but not a receiver that requests a wait', () => {
    expect(breakerAfter(CLOSED, BREAKER, timed(500)).failures).toBe(1);
    expect(breakerAfter(CLOSED, BREAKER, timed(null)).failures).toBe(1);
    expect(breakerAfter(CLOSED, BREAKER, timed(404)).failures).toBe(1);
    expect(breakerAfter(CLOSED, BREAKER, timed(429))).toBe(CLOSED);
    expect(breakerAfter(OPEN, BREAKER, timed(200))).toBe(CLOSED);
  });
});
