import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAttemptAt, retryAfterMs, type RetryPolicy, waitAfter } from './retry-schedule.js';

const DEFAULTS: RetryPolicy = { firstMs: 5_000, maxMs: 36_000_000, forMs: 270_000_000 };

const settings = fc
  .record({ firstMs: fc.integer({ min: 1, max: 60_000 }), factor: fc.integer({ min: 2, max: 10_000 }) })
  .chain(({ firstMs, factor }) =>
    fc.record({
      firstMs: fc.constant(firstMs),
      maxMs: fc.constant(firstMs * factor),
      forMs: fc.integer({ min: 1, max: firstMs * factor * 20 }),
    }),
  );
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const tries = fc.integer({ min: 1, max: 2_000 });

describe('the wait', () => {
  it('is 5 to 6.25 s after the first failure, and doubles', () => {
    expect([waitAfter(1, DEFAULTS, 0), waitAfter(1, DEFAULTS, 0.999_999)]).toEqual([5_000, 6_250]);
    expect([2, 3, 4].map((after) => waitAfter(after, DEFAULTS, 0))).toEqual([10_000, 20_000, 40_000]);
  });

  it('is never longer than the setting, and never 0', () => {
    fc.assert(
      fc.property(settings, tries, fraction, (given, after, random) => {
        const wait = waitAfter(after, given, random);
        expect(wait).toBeLessThanOrEqual(given.maxMs);
        expect(wait).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('grows with each failure whatever the jitter, up to the longest', () => {
    fc.assert(
      fc.property(settings, tries, fraction, fraction, (given, after, one, other) => {
        const [wait, next] = [waitAfter(after, given, one), waitAfter(after + 1, given, other)];
        expect(next).toBeGreaterThanOrEqual(Math.min(wait, Math.floor(given.maxMs * 0.8)));
      }),
    );
  });

  it('differs between two pings of one outage', () => {
    expect(waitAfter(8, DEFAULTS, 0.2)).not.toBe(waitAfter(8, DEFAULTS, 0.7));
  });
});

/** Fails every try until the ping is parked. Returns the time of each try since the ping was due. */
function failingTries(given: RetryPolicy, random: () => number): number[] {
  const times = [0];
  for (;;) {
    const now = times.at(-1) ?? 0;
    const next = nextAttemptAt(given, { tries: times.length, dueSince: 0, now }, random());
    if (next === undefined) return times;
    times.push(next);
  }
}

describe('the next try', () => {
  it('is made about twenty times by default, the last time 75 hours after the ping was due', () => {
    const times = failingTries(DEFAULTS, () => 0.5);
    expect(times.length).toBeGreaterThan(18);
    expect(times.length).toBeLessThan(24);
    expect(times.at(-1)).toBe(75 * 60 * 60 * 1000);
  });

  it('always comes to an end, with one more try when the time is over', () => {
    fc.assert(
      fc.property(settings, fc.infiniteStream(fraction), (given, chances) => {
        const times = failingTries(given, () => chances.next().value ?? 0);
        expect(times.at(-1)).toBe(given.forMs);
        expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
      }),
    );
  });

  it('does not exist for a ping that waited behind another until its time was over', () => {
    expect(nextAttemptAt(DEFAULTS, { tries: 1, dueSince: 0, now: DEFAULTS.forMs + 1 }, 0)).toBeUndefined();
  });

  it('is never earlier than the platform requests', () => {
    const requestedMs = fc.integer({ min: 0, max: 86_400_000 });
    fc.assert(
      fc.property(settings, tries, requestedMs, fraction, fc.nat(), (given, failed, retryAfter, random, now) => {
        const next = nextAttemptAt(given, { tries: failed, dueSince: 0, now, retryAfterMs: retryAfter }, random);
        if (now >= given.forMs) expect(next).toBeUndefined();
        else expect(next).toBeGreaterThanOrEqual(now + retryAfter);
      }),
    );
  });

  it('is not earlier if the platform requests less than the schedule', () => {
    expect(nextAttemptAt(DEFAULTS, { tries: 3, dueSince: 0, now: 1_000, retryAfterMs: 1 }, 0)).toBe(21_000);
  });
});

describe('Retry-After', () => {
  const NOW = Date.parse('2026-11-21T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['999999999999999999999', 86_400_000],
    ['Sat, 21 Nov 2037 12:00:00 GMT', 86_400_000],
  ])('of %j is %i ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  it.each(['', 'soon', '-1', '1.5', '2026-11-21T12:00:30Z', 'May 1', 'Sat, nonsense GMT', '1e3'])(
    'of %j is ignored',
    (header) => {
      expect(retryAfterMs(header, NOW)).toBeUndefined();
    },
  );
});
