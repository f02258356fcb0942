import type { Operator } from '../query/filters.js';
import type { Range } from './filter.js';

type Bound = Readonly<{ operator: Operator; value: number }>;

/** The intersection of all bounds. A range is closed, so `gt` starts at the next representable number. */
export function rangeOf(bounds: readonly Bound[]): Range {
  let [low, high] = [-Infinity, Infinity];
  for (const { operator, value } of bounds) {
    if (operator === 'eq' || operator === 'gte') low = Math.max(low, value);
    if (operator === 'gt') low = Math.max(low, nextUp(value));
    if (operator === 'eq' || operator === 'lte') high = Math.min(high, value);
    if (operator === 'lt') high = Math.min(high, -nextUp(-value));
  }
  return { low, high };
}

const bits = new DataView(new ArrayBuffer(8));

/** The smallest double above `value` (IEEE 754 nextUp). */
function nextUp(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
