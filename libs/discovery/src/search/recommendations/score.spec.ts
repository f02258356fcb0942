import { describe, expect, it } from 'vitest';
import { affinity, similarity, nearness, scoreOf, type Features } from './score.js';

const NOTHING: Features = { sharedPerformers: 0, boughtTogether: 0, genres: 0, kinds: 0 };

describe('similarity', () => {
  const weights = (entries: Record<string, number>) => new Map(Object.entries(entries));

  it.each([
    [{ a: 1 }, { a: 1 }, 1],
    [{ a: 1 }, { b: 1 }, 0],
    [{}, {}, 0],
    [{ a: 1 }, {}, 0],
    [{ sports: 1, baseball: 2, mlb: 4 }, { sports: 1, baseball: 2 }, 3 / 7],
    [{ sports: 1, baseball: 2, mlb: 4 }, { sports: 1, football: 2, nfl: 4 }, 1 / 13],
    [{ rock: 2, folk: 1 }, { rock: 1, folk: 2 }, 2 / 4],
  ])('of %j and %j is %d, from both sides', (one, other, expected) => {
    expect(similarity(weights(one), weights(other))).toBe(expected);
    expect(similarity(weights(other), weights(one))).toBe(expected);
  });
});

describe('affinity', () => {
  it('grows with every feature and stays at or below 1', () => {
    for (const name of Object.keys(NOTHING) as (keyof Features)[]) {
      const values = [0, 1 / 3, 2 / 3, 1].map((value) => affinity({ ...NOTHING, kinds: 0.5, [name]: value }));
      expect(values, name).toEqual(values.toSorted((a, b) => a - b));
      expect(new Set(values).size, name).toBe(4);
    }
    expect(affinity(NOTHING)).toBe(0);
    expect(affinity({ sharedPerformers: 100, boughtTogether: 1, genres: 1, kinds: 1 })).toBe(1);
  });

  it('of a shared performer outweighs all other features together', () => {
    const alike = affinity({ sharedPerformers: 0, boughtTogether: 1, genres: 1, kinds: 1 });
    expect(affinity({ ...NOTHING, sharedPerformers: 1 })).toBeGreaterThan(alike);
  });
});

describe('a score', () => {
  it('halves towards the end of the range', () => {
    expect([0, 100, 200].map((metres) => nearness(metres, 100))).toEqual([1, 0.5, 0.25]);
    expect(nearness(50, 100)).toBeCloseTo(Math.SQRT1_2, 12);
    expect(scoreOf({ ...NOTHING, sharedPerformers: 1 }, 0.5)).toBe(0.35);
  });

  it('is 0 only if nothing is shared', () => {
    expect(scoreOf(NOTHING, 1)).toBe(0);
    expect(scoreOf({ ...NOTHING, kinds: 1e-9 }, 0.5)).toBe(0.000001);
  });
});
