import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operator } from '../query/filters.js';
import { HOLDS } from '../../../../../test/support/discovery/catalogue-model.js';
import { rangeOf } from './bounds.js';

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
const bound = fc.record({ operator: fc.constantFrom<Operator>('eq', 'gt', 'gte', 'lt', 'lte'), value: number });

test('a value is in the range of some bounds if each of them holds for it', () => {
  fc.assert(
    fc.property(fc.array(bound, { maxLength: 3 }), number, (bounds, value) => {
      fc.pre(Number.isFinite(value));
      const { low, high } = rangeOf(bounds);
      expect(value >= low && value <= high).toBe(bounds.every((each) => HOLDS[each.operator](value, each.value)));
    }),
  );
});
