import { expect, test } from 'vitest';
import { termOf, Vocabulary } from './vocabulary.js';
import { tokenize } from '../../tokenizer.js';

function bestMatch(word: string): string | undefined {
  const vocabulary = new Vocabulary();
  vocabulary.add(
    tokenize('New York Yankees Boston Red Sox Springsteen Metallica Lakers Lake Beyoncé 76ers Phish Fish'),
  );
  return vocabulary.fuzzyMatches(word)[0]?.term;
}

test.each([
  ['yankes', 'yankees'],
  ['yankkees', 'yankees'],
  ['yanekes', 'yankees'],
  ['yanke', 'yankees'],
  ['metalica', 'metallica'],
  ['sprinsteen', 'springsteen'],
  ['springstien', 'springsteen'],
  ['beyonse', 'beyonce'],
  ['metall', 'metallica'],
])('%s is meant as %s', (word, right) => {
  expect(bestMatch(word)).toBe(termOf(right));
});

test.each(['yonkers', 'xx', '77ers', 'bxstxn', 'q'.repeat(500)])('%s has no fuzzy match', (word) => {
  expect(bestMatch(word)).toBeUndefined();
});

test.each([
  ['game', 'games'],
  ['comedy', 'comedies'],
  ['wrestle', 'wrestling'],
  ['yankee', 'yankees'],
  ['championship', 'championships'],
  ['theater', 'theatres'],
])('%s and %s share a term', (one, other) => {
  expect(termOf(one)).toBe(termOf(other));
});

test('a word that is not English is its own term', () => {
  expect(['u2', '76ers', '東京', 'a', ''].map(termOf)).toEqual(['u2', '76ers', '東京', 'a', '']);
});

test('a word that is also a property of every object is an ordinary word', () => {
  expect(termOf('constructor')).toBe('constructor');
});

test('words that are added later are found too', () => {
  const vocabulary = new Vocabulary();
  expect(vocabulary.fuzzyMatches('dogers')).toEqual([]);
  expect(vocabulary.add(['los', 'angeles', 'dodgers'])).toEqual(['lo', 'angel', 'dodger']);
  expect(vocabulary.fuzzyMatches('dogers')).toEqual([{ term: 'dodger', similarity: 1 - 1 / 6 }]);
});
