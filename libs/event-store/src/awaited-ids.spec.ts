import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AwaitedIds } from './awaited-ids.js';

const LAST = Number.MAX_SAFE_INTEGER;

describe('awaited ids', () => {
  it('are all ids at first, because a new leader knows nothing of the earlier ones', () => {
    expect(new AwaitedIds().ranges).toEqual([{ low: 1, high: LAST }]);
  });

  it('keep the gaps between ids that were seen', () => {
    const awaited = new AwaitedIds();
    awaited.seen([3, 4, 7]);
    awaited.seen([8, 10]);
    expect(awaited.ranges).toEqual([
      { low: 1, high: 2 },
      { low: 5, high: 6 },
      { low: 9, high: 9 },
      { low: 11, high: LAST },
    ]);
    awaited.seen([1, 6, 9]);
    expect(awaited.ranges).toEqual([
      { low: 2, high: 2 },
      { low: 5, high: 5 },
      { low: 11, high: LAST },
    ]);
  });

  it('lose settled ids, also in the middle of a range and above all seen ones', () => {
    const awaited = new AwaitedIds();
    awaited.seen([5, 9]);
    awaited.settled(6);
    expect(awaited.ranges).toEqual([
      { low: 7, high: 8 },
      { low: 10, high: LAST },
    ]);
    awaited.settled(20);
    expect(awaited.ranges).toEqual([{ low: 21, high: LAST }]);
  });

  it('stay few if gaps are never settled', () => {
    const awaited = new AwaitedIds();
    for (let id = 2; id < 20_000; id += 2) awaited.seen([id]);
    expect(awaited.ranges.length).toBeLessThanOrEqual(400);
    for (let id = 1; id < 20_000; id += 2) {
      expect(awaited.ranges.some(({ low, high }) => low <= id && id <= high)).toBe(true);
    }
  });

  // With so few ids, ranges are never merged, so not one id is awaited in vain.
  const step = fc.oneof(
    fc.record({ seen: fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { maxLength: 300 }) }),
    fc.record({ settled: fc.integer({ min: 0, max: 600 }) }),
  );

  it('are those neither seen nor settled, in ascending, separate ranges', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const awaited = new AwaitedIds();
        const gone = new Set<number>();
        for (const one of steps) {
          if ('seen' in one) {
            const ids = one.seen.toSorted((a, b) => a - b);
            awaited.seen(ids);
            for (const id of ids) gone.add(id);
          } else {
            awaited.settled(one.settled);
            for (let id = 1; id <= one.settled; id += 1) gone.add(id);
          }
        }
        const wrong = Array.from({ length: 700 }, (_, index) => index + 1).filter(
          (id) => awaited.ranges.some(({ low, high }) => low <= id && id <= high) === gone.has(id),
        );
        expect(wrong).toEqual([]);
        awaited.ranges.forEach(({ low, high }, index) => {
          expect(low).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThan(awaited.ranges[index - 1]?.high ?? 0);
        });
        expect(awaited.ranges.at(-1)?.high).toBe(LAST);
      }),
    );
  });
});
