import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.js';

/** When so many deliveries go that would all go at once. */
function times(pace: RateLimiter, count: number, from = 0): number[] {
  let now = from;
  return Array.from({ length: count }, () => {
    now += pace.waitMs(now);
    pace.take(now);
    return now;
  });
}

describe('a rate limit', () => {
  it('spreads deliveries over the second, but for a few at first', () => {
    expect(times(new RateLimiter(2), 4)).toEqual([0, 400, 900, 1_400]);
    expect(times(new RateLimiter(100), 14)).toEqual([...Array.from({ length: 11 }, () => 0), 10, 20, 30]);
  });

  it('never lets more through than its rate, beside those few', () => {
    const rate = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(rate, fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 300 }), (perSecond, pauses) => {
        const pace = new RateLimiter(perSecond);
        let now = 0;
        const went = pauses.map((pause) => {
          now += pause;
          now += pace.waitMs(now);
          pace.take(now);
          return now;
        });
        for (const [index, from] of went.entries()) {
          const within = went.slice(index).filter((time) => time < from + 1_000).length;
          expect(within).toBeLessThanOrEqual(Math.ceil(perSecond * 1.1) + 1);
        }
      }),
    );
  });

  it('goes on where another worker left it', () => {
    const first = new RateLimiter(10);
    times(first, 5);
    expect(times(new RateLimiter(10, first.until), 1)).toEqual([400]);
  });

  it('can be held, and not be hurried by it', () => {
    const pace = new RateLimiter(10);
    pace.holdUntil(5_000);
    pace.holdUntil(1_000);
    expect(pace.waitMs(0)).toBe(5_000);
    expect(times(pace, 2)).toEqual([5_000, 5_100]);
    expect(new RateLimiter(10, pace.until).waitMs(0)).toBe(5_200);
  });
});
