import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canBuy, splits, type SplitRule } from './splits.js';

const rules = fc.oneof(
  fc.constantFrom<SplitRule>('any', 'pairs', 'no_single_left', 'all_together'),
  fc.array(fc.integer({ min: -2, max: 40 }), { maxLength: 8 }),
);

/** The rules of the contract for every possible quantity. */
function allowed(rule: SplitRule, available: number): number[] {
  const quantities = Array.from({ length: available }, (_, index) => index + 1);
  if (rule === 'any') return quantities;
  if (rule === 'pairs') return quantities.filter((quantity) => Number.isInteger(quantity / 2));
  if (rule === 'no_single_left') return quantities.filter((quantity) => available !== quantity + 1);
  if (rule === 'all_together') return quantities.slice(-1);
  return quantities.filter((quantity) => rule.some((named) => named === quantity));
}

describe('splits', () => {
  it('are all quantities that the rule allows, ascending', () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: 60 }), (rule, available) => {
        expect(splits(rule, available)).toEqual(allowed(rule, available));
      }),
      { numRuns: 2000 },
    );
  });

  it('are exactly the quantities that can be bought', () => {
    fc.assert(
      fc.property(
        rules,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: -5, max: 70 }),
        (rule, available, quantity) => {
          expect(canBuy(rule, available, quantity)).toBe(splits(rule, available).includes(quantity));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each<[SplitRule, number, number[]]>([
    ['any', 3, [1, 2, 3]],
    ['pairs', 5, [2, 4]],
    ['pairs', 1, []],
    ['no_single_left', 4, [1, 2, 4]],
    ['no_single_left', 1, [1]],
    ['no_single_left', 2, [2]],
    ['all_together', 7, [7]],
    ['all_together', 0, []],
    [[6, 2, 4, 2], 5, [2, 4]],
  ])('%j of %d: %j', (rule, available, expected) => expect(splits(rule, available)).toEqual(expected));

  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 60])('cannot be bought: %d tickets', (quantity) => {
    expect(canBuy('any', Number.MAX_SAFE_INTEGER, quantity)).toBe(false);
  });

  it('are not limited below the number of tickets', () => {
    expect(splits('any', 100_000)).toHaveLength(100_000);
    expect(splits('pairs', 100_000).at(-1)).toBe(100_000);
    expect(splits('all_together', 100_000)).toEqual([100_000]);
    expect(splits([600, 601, 99_999], 600)).toEqual([600]);
  });
});
