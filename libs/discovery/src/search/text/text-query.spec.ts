import { expect, test } from 'vitest';
import { parseTextQuery, withoutPlace } from './text-query.js';

const NAMES = {
  isName: (key: string) =>
    ['the the', 'brian may', 'next to normal', 'live in paris', 'los angeles dodgers'].includes(key),
  isPlace: (key: string) => ['new york', 'paris', 'york', 'chicago'].includes(key),
};

function read(q: string) {
  const { terms, when, place } = parseTextQuery(q, NAMES);
  return {
    words: terms.map(({ word, required, or }) => word + (required ? '' : '?') + (or ? '~' : '')).join(' '),
    times: when.length,
    place,
  };
}

test.each([
  ['yankees tickets in new york this weekend', { words: 'yankees', times: 1, place: 'new york' }],
  ['los-angeles-dodgers', { words: 'los angeles dodgers', times: 0, place: undefined }],
  ['comedy shows near chicago tomorrow', { words: 'comedy shows?', times: 1, place: 'chicago' }],
  ['tickets near me tonight', { words: '', times: 1, place: undefined }],
  ['Brian May', { words: 'brian may', times: 0, place: undefined }],
  ['concert may', { words: 'concert may~', times: 0, place: undefined }],
  ['concert in may', { words: 'concert', times: 1, place: undefined }],
  ['world cup 2026', { words: 'world cup 2026~', times: 0, place: undefined }],
  ['phish june 5 2026', { words: 'phish', times: 1, place: undefined }],
  ['The The', { words: 'the the', times: 0, place: undefined }],
  ['Live in Paris', { words: 'live? paris', times: 0, place: undefined }],
  ['the event', { words: 'event', times: 0, place: undefined }],
  ['yankees in boston', { words: 'yankees boston', times: 0, place: undefined }],
  ['  ', { words: '', times: 0, place: undefined }],
])('%j is read as %j', (q, meant) => {
  expect(read(q)).toEqual(meant);
});

test('a place may turn out to be part of a name', () => {
  const { terms, place } = withoutPlace(parseTextQuery('yankees in new york', NAMES));
  expect(terms.map(({ word }) => word)).toEqual(['yankees', 'new', 'york']);
  expect(place).toBeUndefined();
});

test('a long query is cut', () => {
  expect(parseTextQuery('word '.repeat(10_000), NAMES).terms).toHaveLength(24);
});
