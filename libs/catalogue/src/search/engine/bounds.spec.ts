import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operator } from '../filters.js';
import { rangeOf } from './bounds.js';

const HOLDS: Readonly<Record<Operator, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
const bound = fc.record({ operator: fc.constantFrom<Operator>('eq', 'gt', 'gte', 'lt', 'lte'), value: number });

test('a value is in the range of some bounds when each of them holds for it', () => {
  fc.assert(
    fc.property(fc.array(bound, { maxLength: 3 }), number, (bounds, value) => {
      fc.pre(Number.isFinite(value));
      const { low, high } = rangeOf(bounds);
      expect(value >= low && value <= high).toBe(bounds.every((each) => HOLDS[each.operator](value, each.value)));
    }),
  );
});
