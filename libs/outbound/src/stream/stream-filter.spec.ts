import { describe, expect, it } from 'vitest';
import { conditionsOf, filterKey, hasFilter, matcherOf } from './stream-filter.js';

const entry = { status: 'confirmed', status_code: 2000, event_id: 'e1', listing_id: 'l1', client_id: 'c1' };

describe('a filter', () => {
  it('matches one value of every key', () => {
    expect(matcherOf({})(entry)).toBe(true);
    expect(matcherOf({ status: ['rejected', 'confirmed'], listing_id: ['l1'] })(entry)).toBe(true);
    expect(matcherOf({ status: ['confirmed'], listing_id: ['l2'] })(entry)).toBe(false);
    expect(matcherOf({ status_code: [2000], client_id: undefined })(entry)).toBe(true);
    expect(matcherOf({ status_code: [2001] })(entry)).toBe(false);
  });

  it('is the same in SQL, with its values as parameters', () => {
    const values: unknown[] = [7];
    const text = conditionsOf({ event_id: ["' or true"], status: undefined, status_code: [2000, 2001] }, values);
    expect(text).toBe(' and status_code = any($2::int[]) and event_id = any($3::text[])');
    expect(values).toEqual([7, [2000, 2001], ["' or true"]]);
    expect(conditionsOf({}, values)).toBe('');
  });

  it('has one key, whatever the order of its values', () => {
    const key = filterKey({ status: ['a', 'b', 'a'], status_code: [3, 10] });
    expect(filterKey({ status_code: [10, 3], status: ['b', 'a'], event_id: undefined })).toBe(key);
    expect(filterKey({ event_id: ['a', 'b'], status_code: [3, 10] })).not.toBe(key);
    expect(filterKey({ status: ['a,b'] })).not.toBe(filterKey({ status: ['a', 'b'] }));
  });

  it('is empty without a key', () => {
    expect(hasFilter({})).toBe(false);
    expect(hasFilter({ status: undefined })).toBe(false);
    expect(hasFilter({ status: ['pending'] })).toBe(true);
  });
});
