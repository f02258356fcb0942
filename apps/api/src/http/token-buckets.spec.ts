import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { TokenBuckets } from './token-buckets.js';

let clock: FixedClock;
let buckets: TokenBuckets;
beforeEach(() => {
  clock = new FixedClock();
  buckets = new TokenBuckets(clock);
});

const takeMany = (count: number, perSecond: number) =>
  Array.from({ length: count }, () => buckets.take('a', perSecond).waitSeconds);

describe('a token bucket', () => {
  it("lets two seconds' worth through at once, and nobody else pays for it", () => {
    expect(takeMany(5, 2)).toEqual([0, 0, 0, 0, 1]);
    expect(buckets.take('b', 2).waitSeconds).toBe(0);
  });

  it('fills at its rate and not beyond the brim', () => {
    takeMany(4, 2);
    clock.advance(500);
    expect(takeMany(2, 2)).toEqual([0, 1]);
    clock.advance(60_000);
    expect(takeMany(5, 2)).toEqual([0, 0, 0, 0, 1]);
  });

  it('tells what is left and when it is full again', () => {
    expect(buckets.take('a', 5)).toEqual({ waitSeconds: 0, limit: 10, remaining: 9, fullAfterSeconds: 1 });
    takeMany(8, 5);
    expect(buckets.take('a', 5)).toEqual({ waitSeconds: 0, limit: 10, remaining: 0, fullAfterSeconds: 2 });
    expect(buckets.take('a', 5)).toEqual({ waitSeconds: 1, limit: 10, remaining: 0, fullAfterSeconds: 2 });
  });

  it('gives nothing for a clock that is set back', () => {
    takeMany(4, 2);
    clock.advance(-3_600_000);
    expect(takeMany(1, 2)).toEqual([1]);
    clock.advance(500);
    expect(takeMany(1, 2)).toEqual([0]);
  });
});
