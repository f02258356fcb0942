import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { KeyedRateLimiter } from './keyed-rate-limiter.js';

let clock: FixedClock;
let limiter: KeyedRateLimiter;
beforeEach(() => {
  clock = new FixedClock();
  limiter = new KeyedRateLimiter(clock);
});

const takeMany = (count: number, perSecond: number) =>
  Array.from({ length: count }, () => limiter.admit('a', perSecond).waitSeconds);

describe('a rate limiter with keys', () => {
  it("admits two seconds' worth at once, and keys do not affect each other", () => {
    expect(takeMany(5, 2)).toEqual([0, 0, 0, 0, 1]);
    expect(limiter.admit('b', 2).waitSeconds).toBe(0);
  });

  it('admits more at once where it is told so, of a slow rate too', () => {
    const slow = new KeyedRateLimiter(clock, 6);
    const waits = () => Array.from({ length: 4 }, () => slow.admit('a', 0.5).waitSeconds);
    expect(waits()).toEqual([0, 0, 0, 2]);
    clock.advance(2_000);
    expect(waits()).toEqual([0, 2, 2, 2]);
  });

  it('refills at its rate up to its capacity', () => {
    takeMany(4, 2);
    clock.advance(500);
    expect(takeMany(2, 2)).toEqual([0, 1]);
    clock.advance(60_000);
    expect(takeMany(5, 2)).toEqual([0, 0, 0, 0, 1]);
  });

  it('returns what is left and when it is full again', () => {
    expect(limiter.admit('a', 5)).toEqual({ waitSeconds: 0, limit: 10, remaining: 9, fullAfterSeconds: 1 });
    takeMany(8, 5);
    expect(limiter.admit('a', 5)).toEqual({ waitSeconds: 0, limit: 10, remaining: 0, fullAfterSeconds: 2 });
    expect(limiter.admit('a', 5)).toEqual({ waitSeconds: 1, limit: 10, remaining: 0, fullAfterSeconds: 2 });
  });

  it('charges an expensive request as several, also more than are left', () => {
    expect(limiter.admit('a', 5, 4)).toMatchObject({ waitSeconds: 0, remaining: 6 });
    expect(limiter.admit('a', 5, 100)).toMatchObject({ waitSeconds: 0, remaining: 0 });
    expect(limiter.admit('a', 5)).toMatchObject({ waitSeconds: 19 });
    clock.advance(19_000);
    expect(limiter.admit('a', 5)).toMatchObject({ waitSeconds: 0 });
  });

  it('remembers who asks often, however many others ask once', () => {
    takeMany(4, 2);
    for (let other = 0; other < 20_000; other += 1) {
      limiter.admit(`other ${other}`, 2);
      if (other % 5_000 === 0) expect(takeMany(1, 2)).toEqual([1]);
    }
    expect(takeMany(1, 2)).toEqual([1]);
  });

  it('applies a changed rate at once', () => {
    takeMany(4, 2);
    expect(takeMany(1, 2)).toEqual([1]);
    clock.advance(500);
    expect(takeMany(3, 1_000)).toEqual([0, 0, 0]);
  });

  it('ignores a change of the system clock', () => {
    const corrected = new (class extends FixedClock {
      override monotonic(): number {
        return 0;
      }
    })();
    const own = new KeyedRateLimiter(corrected);
    const admit = () => own.admit('a', 1).waitSeconds;
    expect([admit(), admit(), admit()]).toEqual([0, 0, 1]);
    corrected.advance(-3_600_000);
    expect(admit()).toBe(1);
    corrected.advance(7_200_000);
    expect(admit()).toBe(1);
  });
});
