import { expect, it } from 'vitest';
import { TimeOrderedIds } from './ids.js';

it('gives each id its prefix, once, in order of time', () => {
  const ids = new TimeOrderedIds();
  // More than one pool of random bytes lasts for.
  const given = Array.from({ length: 5_000 }, () => ids.next('ord'));
  expect(new Set(given).size).toBe(5_000);
  expect(given).toEqual(given.toSorted());
  expect(given.filter((id) => !/^ord_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toEqual([]);
  // The last 32 bits are random, also after the pool was filled again.
  expect(new Set(given.map((id) => id.slice(-8))).size).toBeGreaterThan(4_990);
});
