import { expect, it } from 'vitest';
import { writtenText } from './written-text.js';

const codes = (text: string) => Array.from(text, (letter) => letter.codePointAt(0)?.toString(16)).join(' ');

it.each([
  ['Ada Lovelace, 12 Analytical Way', 'Ada Lovelace, 12 Analytical Way'],
  ['Дмитрий Шостакович', 'Дмитрий Шостакович'],
  ['王小明', '王小明'],
  ['דוד בן', 'ןב דוד'],
  ['Tel Aviv, רוטשילד 12', 'Tel Aviv, דלישטור 12'],
])('writes %s from left to right', (text, written) => {
  expect(writtenText(text)).toBe(written);
});

it.each([
  ['joined at both sides, at one, and not', 'محمد', 'feaa fee4 fea4 fee3'],
  ['lam and alef as one', 'سلام', 'fee1 fefc feb3'],
  ['the letters of Persian', 'پری', 'fbfc feae fb58'],
])('writes Arabic letters %s', (_, text, written) => {
  expect(codes(writtenText(text))).toBe(written);
});
