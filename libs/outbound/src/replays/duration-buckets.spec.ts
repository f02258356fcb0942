import { describe, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { BOUNDS, BUCKETS, percentile } from './duration-buckets.js';

const chance = new SeededRandomness(7);

function counted(durations: readonly number[]): number[] {
  const counts = Array<number>(BUCKETS).fill(0);
  for (const duration of durations) {
    const bucket = BOUNDS.filter((bound) => bound <= duration).length;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

describe('percentile', () => {
  it('is wrong by less than a quarter, for durations of any length', () => {
    for (let round = 0; round < 200; round += 1) {
      const longest = 10 ** chance.integer(5) + 1;
      const durations = Array.from({ length: 1 + chance.integer(200) }, () => chance.integer(longest)).sort(
        (a, b) => a - b,
      );
      for (const part of [0.5, 0.9, 0.99]) {
        const exact = durations[Math.ceil(part * durations.length) - 1] ?? 0;
        expect(Math.abs((percentile(counted(durations), part) ?? 0) - exact)).toBeLessThanOrEqual(exact / 4);
      }
    }
  });

  it('is null without durations, and known for durations beyond the last bound', () => {
    expect(percentile(counted([]), 0.5)).toBeNull();
    expect(percentile(counted([500_000]), 0.99)).toBeGreaterThanOrEqual(60_000);
  });
});
