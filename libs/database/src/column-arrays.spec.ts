import { describe, expect, it } from 'vitest';
import { rowsOf } from './column-arrays.js';

describe('rowsOf', () => {
  it('makes a row of the values in the same place of each column', () => {
    expect(rowsOf({ name: ['a', 'b'], size: [1, null] })).toEqual([
      { name: 'a', size: 1 },
      { name: 'b', size: null },
    ]);
  });

  it('makes no rows of columns without values', () => {
    expect([rowsOf({ name: null, size: null }), rowsOf(undefined)]).toEqual([[], []]);
  });
});
