import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  allowedConcurrency,
  afterStart,
  type CircuitBreaker,
  CLOSED,
} from './circuit-breaker.js';

const SETTINGS = { failuresToOpen: 3, firstMs: 1_000, maxMs: 60_000 };

function failing(times: number, from: CircuitBreaker = CLOSED, now = 0, fraction = 0): CircuitBreaker {
  let breaker = from;
  for (let time = 0; time < times; time += 1) breaker = afterFailure(breaker, SETTINGS, now, fraction);
  return breaker;
}

describe('the breaker', () => {
  it('stays closed until enough consecutive failures', () => {
    expect(failing(2)).toMatchObject({ state: 'closed', failures: 2 });
    expect(failing(2, afterSuccess(failing(2)))).toMatchObject({ state: 'closed', failures: 2 });
    expect(failing(3)).toEqual({ state: 'open', failures: 3, openings: 1, openUntil: 1_000 });
  });

  it('admits nothing while it is open, and one delivery when its wait is over', () => {
    const open = failing(3);
    expect(allowedConcurrency(CLOSED, 10, 0)).toBe(10);
    expect(allowedConcurrency(open, 10, 999)).toBe(0);
    expect(allowedConcurrency(open, 10, 1_000)).toBe(1);
    const halfOpen = afterStart(open);
    expect(halfOpen).toMatchObject({ state: 'half_open', openUntil: null });
    expect(allowedConcurrency(halfOpen, 10, 0)).toBe(1);
    expect(afterStart(CLOSED)).toBe(CLOSED);
  });

  it('waits longer after each failed probe', () => {
    let [breaker, now] = [failing(3), 0];
    const waits = Array.from({ length: 8 }, () => {
      const wait = (breaker.openUntil ?? 0) - now;
      now = breaker.openUntil ?? 0;
      breaker = afterFailure(afterStart(breaker), SETTINGS, now, 0);
      return wait;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 48_000, 48_000]);
  });

  it('is closed by any success, and starts with the first wait when it opens again', () => {
    const closed = afterSuccess(afterStart(failing(1, afterStart(failing(3)))));
    expect(closed).toEqual(CLOSED);
    expect(failing(3, closed, 500)).toMatchObject({ openings: 1, openUntil: 1_500 });
    expect(afterSuccess(failing(3))).toEqual(CLOSED);
    expect(afterSuccess(CLOSED)).toBe(CLOSED);
  });

  it('ignores deliveries that were in flight when it opened', () => {
    const open = failing(3);
    expect(afterFailure(open, SETTINGS, 500, 0.9)).toBe(open);
  });
});

/** Events of an endpoint, each with the time since the last one. */
const timedEvents = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 100_000 }),
    succeeds: fc.boolean(),
    fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 200 },
);

describe('whatever happens', () => {
  it('admits no more than its state allows, opens only after enough failures, and never for too long', () => {
    fc.assert(
      fc.property(timedEvents, (list) => {
        let [breaker, now, row]: [CircuitBreaker, number, number] = [CLOSED, 0, 0];
        for (const { after, succeeds, fraction } of list) {
          now += after;
          if (allowedConcurrency(breaker, 5, now) === 0) {
            expect(breaker.state).toBe('open');
            expect(breaker.openUntil).toBeGreaterThan(now);
            continue;
          }
          breaker = afterStart(breaker);
          row = succeeds ? 0 : row + 1;
          breaker = succeeds ? afterSuccess(breaker) : afterFailure(breaker, SETTINGS, now, fraction);
          expect(breaker.state).toBe(row >= SETTINGS.failuresToOpen ? 'open' : 'closed');
          expect(breaker.failures).toBe(row);
          if (breaker.openUntil === null) continue;
          expect(breaker.openUntil - now).toBeGreaterThanOrEqual(SETTINGS.firstMs);
          expect(breaker.openUntil - now).toBeLessThanOrEqual(SETTINGS.maxMs);
        }
      }),
    );
  });

  it('an endpoint that is back gets a delivery within the longest wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, fraction) => {
        let [breaker, now]: [CircuitBreaker, number] = [CLOSED, 0];
        for (let failed = 0; failed < failures; failed += 1) {
          now = Math.max(now, breaker.openUntil ?? 0);
          breaker = afterFailure(afterStart(breaker), SETTINGS, now, fraction);
        }
        expect(allowedConcurrency(breaker, 5, now + SETTINGS.maxMs)).toBe(1);
        expect(allowedConcurrency(afterSuccess(afterStart(breaker)), 5, now + SETTINGS.maxMs)).toBe(5);
      }),
    );
  });
});
