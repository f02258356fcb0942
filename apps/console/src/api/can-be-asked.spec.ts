import { expect, it } from 'vitest';
import { question } from '#orders/order-search.contract';
import { canBeAsked } from './can-be-asked.js';

it.each([
  ['Ng', true],
  ['李', true],
  ['김', true],
  ['か', true],
  ['𠮷', true],
  ['#7', true],
  ['', false],
  ['N', false],
  ['é', false],
  ['𝔑', false],
])('%j can be asked as the server says: %s', (text, expected) => {
  expect(canBeAsked(text)).toBe(expected);
  expect(question.safeParse(text).success).toBe(expected);
});
