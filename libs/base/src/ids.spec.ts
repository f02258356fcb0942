import { expect, it } from 'vitest';
import { TimeOrderedIds } from './ids.js';
import { SystemRandomness } from './randomness.js';

it('gives each id its prefix, once, in order of time', () => {
  const ids = new TimeOrderedIds();
  // More than one pool of random bytes lasts for.
  const given = Array.from({ length: 5_000 }, () => ids.next('ord'));
  expect(new Set(given).size).toBe(5_000);
  expect(given).toEqual(given.toSorted());
  expect(given.filter((id) => !/^ord_[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{7}00[0-9a-f]{6}$/.test(id))).toEqual([]);
  // The last 24 bits are random.
  expect(new Set(given.map((id) => id.slice(-6))).size).toBeGreaterThan(4_990);
});

it('the id of an order carries the cell, and no other id does', () => {
  const ids = new TimeOrderedIds(new SystemRandomness(), 250);
  expect(ids.next('ord').slice(-8, -6)).toBe('fa');
  const others = Array.from({ length: 100 }, () => ids.next('evt'));
  expect(others.filter((id) => !/^evt_[0-9a-f]{12}7/.test(id))).toEqual([]);
  expect(new Set(others.map((id) => id.slice(-8, -6))).size).toBeGreaterThan(10);
});
