import { expect, test } from 'vitest';
import { LruCache } from './lru-cache.js';

test('what was used last stays, as much as fits', () => {
  const kept = new LruCache<string>(6, (text) => text.length);
  kept.set('a', 'aa');
  kept.set('b', 'bb');
  kept.set('c', 'cc');
  expect(kept.get('a')).toBe('aa');
  kept.set('d', 'd');
  expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).toEqual(['aa', undefined, 'cc', 'd']);
  kept.set('a', 'a');
  kept.set('e', 'ee');
  expect(['a', 'c', 'd', 'e'].map((key) => kept.get(key))).toEqual(['a', 'cc', 'd', 'ee']);
  kept.set('f', 'too long to be kept');
  expect(kept.get('f')).toBeUndefined();
  kept.set('g', 'gggggg');
  expect(kept.get('g')).toBe('gggggg');
  kept.delete('g');
  kept.delete('g');
  kept.set('h', 'hhhhhh');
  expect(kept.get('h')).toBe('hhhhhh');
  kept.clear();
  expect(kept.get('h')).toBeUndefined();
});
