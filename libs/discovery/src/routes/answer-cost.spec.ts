import { expect, it } from 'vitest';
import { askedOf, costOf } from './answer-cost.js';
import { parseQuery } from './query-string.js';

it.each([
  ['', 1],
  ['per_page=50', 1],
  ['per_page=51', 2],
  ['per_page=500', 10],
  ['format=xml', 1],
  ['callback=cb&per_page=100', 10],
  ['aid=1&per_page=500', 50],
  ['aid=&per_page=500', 10],
  ['per_page=5000', 1],
  ['per_page=-7', 1],
  ['per_page=1e9', 1],
  ['per_page=many', 1],
])('%s costs as much as %i requests', (query, cost) => {
  expect(costOf(askedOf(parseQuery(`/2/events?${query}`), 500))).toBe(cost);
});
