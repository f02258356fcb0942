import { expect, it } from 'vitest';
import { catalogueIdOf } from './catalogue-id.js';

it.each(['1', '8902', '2147483647'])('%s is an id of the catalogue', (text) => {
  expect(catalogueIdOf(text)).toBe(Number(text));
});

it.each(['', '0', '0012', '-1', '1.5', '1e3', ' 1', '2147483648', '99999999999', 'evt-1'])('“%s” is none', (text) => {
  expect(catalogueIdOf(text)).toBeUndefined();
});
