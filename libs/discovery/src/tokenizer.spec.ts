import { expect, test } from 'vitest';
import { fold, nameKey, tokenize } from './tokenizer.js';

test.each([
  ['Beyoncé', 'beyonce'],
  ['Montréal', 'montreal'],
  ['Sigur Rós', 'sigur ros'],
  ['MØ', 'mo'],
  ['Bełchatów', 'belchatow'],
  ['Straße', 'strasse'],
  ['Ｗｉｄｅ', 'wide'],
])('%s is folded to %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test.each([
  ["Guns N' Roses", ['guns', 'n', 'roses']],
  ['O’Brien', ['obrien']],
  ['AC/DC', ['ac', 'dc']],
  ['P!nk', ['pnk']],
  ['A.J. McLean', ['aj', 'mclean']],
  ['ncaa_football', ['ncaa', 'football']],
  ['los-angeles-dodgers', ['los', 'angeles', 'dodgers']],
  ['76ers & Co.', ['76ers', 'co']],
  ['東京ドーム', ['東京ドーム'.normalize('NFKD').replace(/\p{M}/gu, '')]],
  ['…!?', []],
])('%s has the words %j', (text, words) => {
  expect(tokenize(text)).toEqual(words);
});

test('a slug and a name have the same key', () => {
  expect(nameKey('los-angeles-dodgers')).toBe(nameKey('Los Angeles Dodgers'));
});
