import { expect, it } from 'vitest';
import { catalogueIdAtEnd, catalogueIdOf } from './catalogue-id.js';

it.each(['1', '8902', '2147483647', '2147483648', '9007199254740991'])('%s is an id of the catalogue', (text) => {
  expect(catalogueIdOf(text)).toBe(Number(text));
});

it.each(['', '0', '0012', '-1', '1.5', '1e3', ' 1', '9007199254740992', '99999999999999999', 'evt-1'])(
  '“%s” is none',
  (text) => {
    expect(catalogueIdOf(text)).toBeUndefined();
  },
);

it.each([
  ['1001', 1001],
  ['hamilton-9007199254740991', 9_007_199_254_740_991],
  ['hamilton1001', undefined],
  ['hamilton-0', undefined],
  ['hamilton', undefined],
])('the path “%s” ends with %s', (path, id) => {
  expect(catalogueIdAtEnd(path)).toBe(id);
});
