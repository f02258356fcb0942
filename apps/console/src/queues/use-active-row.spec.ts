import { expect, it } from 'vitest';
import { placeOf } from './use-active-row.js';

it('the active row is that of the same order, or else of the one that was next', () => {
  const before = ['a', 'b', 'c'];
  const b = { id: 'b', index: 1 };
  expect(placeOf(b, ['urgent', 'a', 'b', 'c'], before)).toBe(2);
  expect(placeOf(b, ['urgent', 'a', 'c'], before)).toBe(2);
  expect(placeOf(b, ['c'], before)).toBe(0);
  expect(placeOf(b, ['urgent', 'a'], before)).toBe(1);
  expect(placeOf(b, [], before)).toBe(0);
  expect(placeOf({ id: null, index: 0 }, before, [])).toBe(0);
});
