import type { Operator } from '../query/filters.js';
import type { Range } from './filter.js';

type Bound = Readonly<{ operator: Operator; value: number }>;

/** What all bounds leave. Bounds are open or closed, a range is closed: `gt` begins at the next number there is. */
export function rangeOf(bounds: readonly Bound[]): Range {
  let [low, high] = [-Infinity, Infinity];
  for (const { operator, value } of bounds) {
    if (operator === 'eq' || operator === 'gte') low = Math.max(low, value);
    if (operator === 'gt') low = Math.max(low, above(value));
    if (operator === 'eq' || operator === 'lte') high = Math.min(high, value);
    if (operator === 'lt') high = Math.min(high, -above(-value));
  }
  return { low, high };
}

const bits = new DataView(new ArrayBuffer(8));

/** The next greater number that a double can be. */
function above(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
