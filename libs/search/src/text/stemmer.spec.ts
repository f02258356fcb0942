import { expect, test } from 'vitest';
import { stem } from './stemmer.js';

// From Porter's paper and the sample vocabulary that goes with it.
test.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['ties', 'ti'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['bled', 'bled'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['vietnamization', 'vietnam'],
  ['triplicate', 'triplic'],
  ['hopefulness', 'hope'],
  ['revival', 'reviv'],
  ['adoption', 'adopt'],
  ['replacement', 'replac'],
  ['adjustment', 'adjust'],
  ['probate', 'probat'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
])('%s -> %s', (word, stemmed) => {
  expect(stem(word)).toBe(stemmed);
});

test.each([
  ['game', 'games'],
  ['comedy', 'comedies'],
  ['wrestle', 'wrestling'],
  ['yankee', 'yankees'],
  ['championship', 'championships'],
])('%s and %s share a stem', (one, other) => {
  expect(stem(one)).toBe(stem(other));
});

test('what is no English word stays as it is', () => {
  expect(['u2', '76ers', '東京', 'a', ''].map(stem)).toEqual(['u2', '76ers', '東京', 'a', '']);
});
