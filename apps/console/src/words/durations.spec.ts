import { describe, expect, it } from 'vitest';
import { durationIn, durationText, durationUnit } from './durations.js';

describe('a duration', () => {
  it.each([
    [0, '0'],
    [0.42, '420 ms'],
    [9.46, '9.5 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [3_600, '1 h'],
    [18_720, '5 h 12 min'],
    [86_400, '1 day'],
    [187_200, '2 days 4 h'],
  ])('of %s s is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it('on an axis is counted in one unit that suits the longest', () => {
    expect([0.5, 90, 200, 7_000, 9_000, 200_000].map((most) => durationIn(durationUnit(most))(most))).toEqual([
      '500 ms',
      '90 s',
      '3.33 min',
      '116.67 min',
      '2.5 h',
      '2.31 d',
    ]);
  });
});
