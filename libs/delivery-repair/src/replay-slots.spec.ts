import { describe, expect, it } from 'vitest';
import { slotsOf } from './replay-slots.js';

describe('the slots of a replay', () => {
  it('are evenly spread, and go on where the last ones have ended', () => {
    const first = slotsOf({ nextMs: 0, perSecond: 10 }, { nowMs: 5_000, untilMs: 5_500 }, 100);
    expect(first).toEqual({ firstMs: 5_000, everyMs: 100, count: 5, nextMs: 5_500 });
    const next = slotsOf({ nextMs: first.nextMs, perSecond: 10 }, { nowMs: 5_250, untilMs: 5_750 }, 100);
    expect(next).toEqual({ firstMs: 5_500, everyMs: 100, count: 3, nextMs: 5_800 });
  });

  it('are none before the next is due', () => {
    const slots = slotsOf({ nextMs: 9_000, perSecond: 1 }, { nowMs: 8_000, untilMs: 8_500 }, 100);
    expect(slots).toMatchObject({ count: 0, nextMs: 9_000 });
  });

  it.each([1, 3, 7, 250, 10_000])('never are more than %i in a second, however often one looks', (perSecond) => {
    const given: number[] = [];
    let nextMs = 0;
    for (let nowMs = 1_000; nowMs < 6_000; nowMs += 13 + (nowMs % 400)) {
      const slots = slotsOf({ nextMs, perSecond }, { nowMs, untilMs: nowMs + 500 }, 5_000);
      for (let k = 0; k < slots.count; k += 1) given.push(slots.firstMs + k * slots.everyMs);
      nextMs = slots.nextMs;
    }
    const apart = given.slice(perSecond).map((at, index) => at - (given[index] ?? 0));
    expect(Math.min(...apart)).toBeGreaterThan(999.99);
    expect(given.length).toBeGreaterThan(4 * perSecond);
  });

  it('do not make up for lost time, and are no more than asked for', () => {
    const slots = slotsOf({ nextMs: 1_000, perSecond: 100 }, { nowMs: 60_000, untilMs: 60_500 }, 20);
    expect(slots).toMatchObject({ firstMs: 60_000, count: 20, nextMs: 60_200 });
  });
});
