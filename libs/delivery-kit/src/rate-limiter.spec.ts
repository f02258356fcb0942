import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.js';

const limiter = (perSecond: number, next?: number) => new RateLimiter({ perSecond, burstMs: 100 }, next);

/** The times of so many deliveries that all want to go at once. */
function times(limit: RateLimiter, count: number, from = 0): number[] {
  let now = from;
  return Array.from({ length: count }, () => {
    now += limit.waitMs(now);
    limit.take(now);
    return now;
  });
}

describe('a rate limit', () => {
  it('spreads deliveries over the second, except for a small burst at first', () => {
    expect(times(limiter(2), 4)).toEqual([0, 400, 900, 1_400]);
    expect(times(limiter(100), 14)).toEqual([...Array.from({ length: 11 }, () => 0), 10, 20, 30]);
  });

  it('never exceeds its rate, except for that burst', () => {
    const rate = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(rate, fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 300 }), (perSecond, pauses) => {
        const limit = limiter(perSecond);
        let now = 0;
        const sentAt = pauses.map((pause) => {
          now += pause;
          now += limit.waitMs(now);
          limit.take(now);
          return now;
        });
        for (const [index, from] of sentAt.entries()) {
          const within = sentAt.slice(index).filter((time) => time < from + 1_000).length;
          expect(within).toBeLessThanOrEqual(Math.ceil(perSecond * 1.1) + 1);
        }
      }),
    );
  });

  it('continues where another worker stopped', () => {
    const first = limiter(10);
    times(first, 5);
    expect(times(limiter(10, first.until), 1)).toEqual([400]);
  });

  it('returns how many may go at once, and when the full burst is available', () => {
    const rate = new RateLimiter({ perSecond: 3, burstMs: 1_000 });
    expect(rate.remaining(0)).toBe(4);
    times(rate, 3);
    expect([rate.remaining(0), rate.fullAfterMs(0)]).toEqual([1, expect.closeTo(1_000, 1)]);
    times(rate, 1);
    expect([rate.remaining(0), rate.waitMs(0)]).toEqual([0, expect.closeTo(333.3, 1)]);
    expect([rate.remaining(60_000), rate.fullAfterMs(60_000)]).toEqual([4, 0]);
  });

  it('equals a token bucket with the burst and one token', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), steps, (perSecond, pauses) => {
        const size = perSecond * 2;
        const rate = new RateLimiter({ perSecond, burstMs: 2_000 - 1_000 / perSecond });
        let [now, tokens] = [0, size];
        for (const pause of pauses) {
          now += pause;
          tokens = Math.min(size, tokens + (pause * perSecond) / 1_000);
          // An almost complete token is one that the two sums may disagree on.
          if (Math.abs(tokens - 1) < 1e-4) continue;
          expect(rate.waitMs(now) === 0).toBe(tokens >= 1);
          if (tokens < 1) continue;
          rate.take(now);
          tokens -= 1;
        }
      }),
    );
  });

  it('can be held, which does not shorten its waits', () => {
    const limit = limiter(10);
    limit.holdUntil(5_000);
    limit.holdUntil(1_000);
    expect(limit.waitMs(0)).toBe(5_000);
    expect(times(limit, 2)).toEqual([5_000, 5_100]);
    expect(limiter(10, limit.until).waitMs(0)).toBe(5_200);
  });
});

describe('reserved slots', () => {
  const even = (perSecond: number, next?: number) => new RateLimiter({ perSecond, burstMs: 0 }, next);

  it('are evenly spaced, and continue after the last ones', () => {
    const rate = even(10);
    expect(rate.reserve(5_000, 5_500, 100)).toEqual({ firstMs: 5_000, everyMs: 100, count: 5, nextMs: 5_500 });
    expect(rate.reserve(5_250, 5_750, 100)).toEqual({ firstMs: 5_500, everyMs: 100, count: 3, nextMs: 5_800 });
  });

  it('are none before the next one is due', () => {
    expect(even(1, 9_000).reserve(8_000, 8_500, 100)).toMatchObject({ count: 0, nextMs: 9_000 });
  });

  it.each([1, 3, 7, 250, 10_000])('never are more than %i in a second, however often one looks', (perSecond) => {
    const given: number[] = [];
    let nextMs = 0;
    for (let now = 1_000; now < 6_000; now += 13 + (now % 400)) {
      const turns = even(perSecond, nextMs).reserve(now, now + 500, 5_000);
      for (let k = 0; k < turns.count; k += 1) given.push(turns.firstMs + k * turns.everyMs);
      nextMs = turns.nextMs;
    }
    const apart = given.slice(perSecond).map((at, index) => at - (given[index] ?? 0));
    expect(Math.min(...apart)).toBeGreaterThan(999.98);
    expect(given.length).toBeGreaterThan(4 * perSecond);
  });

  it('do not make up for lost time, and are never more than requested', () => {
    expect(even(100, 1_000).reserve(60_000, 60_500, 20)).toMatchObject({ firstMs: 60_000, count: 20, nextMs: 60_200 });
  });
});
