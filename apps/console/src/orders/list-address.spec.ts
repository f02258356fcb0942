import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from './list-address.js';
import { whereOf } from './order-condition.js';
import { parseSearch, stringifySearch } from '../frame/search-params.js';

const NOW = new Date('2026-11-22T12:00:00');
const conditionsIn = (query: string) => whereOf(readAddress(parseSearch(query)).filters, NOW);

describe('the address of the list', () => {
  it.each([
    '',
    '?q=ada@example.com',
    '?status=pending,exception&placed_at=gte:-7d&sort=total.desc',
    '?placed_at=gte:2026-11-01&placed_at=lt:2026-12-01&assignee=is:none',
    '?ref_id=starts:A%26B&columns=due,ref&view=viw_1',
  ])('says all of what is shown: %s', (query) => {
    const again = stringifySearch(writeAddress(readAddress(parseSearch(query))));
    expect(decodeURIComponent(again)).toBe(decodeURIComponent(query));
  });

  it('ignores what it does not know', () => {
    expect(readAddress(parseSearch('?sort=nonsense&colour=red'))).toEqual({
      q: '',
      filters: [],
      sort: 'placed_at.desc',
      columns: [],
      view: null,
    });
  });

  it('takes a value that is written twice as one of several, where an order has only one', () => {
    const several = { field: 'status', op: 'in', value: ['pending', 'exception', 'confirmed'] };
    expect(conditionsIn('?status=pending&status=exception,confirmed')).toEqual(several);
    expect(conditionsIn('?tag=vip&tag=late')).toEqual({
      and: [
        { field: 'tag', op: '=', value: 'vip' },
        { field: 'tag', op: '=', value: 'late' },
      ],
    });
  });

  it('becomes a condition of the search', () => {
    expect(conditionsIn('')).toBeUndefined();
    expect(conditionsIn('?status=confirmed')).toEqual({ field: 'status', op: '=', value: 'confirmed' });
    expect(conditionsIn('?status=confirmed,pending&total=gte:99.5&seller=is:some')).toEqual({
      and: [
        { field: 'status', op: 'in', value: ['confirmed', 'pending'] },
        { field: 'total', op: '>=', value: 99.5 },
        { field: 'seller', op: 'is_null', value: false },
      ],
    });
  });

  it('takes days as midnights of the reader', () => {
    const midnight = new Date('2026-11-15T00:00:00').toISOString();
    expect(conditionsIn('?placed_at=gte:-7d')).toEqual({ field: 'placed_at', op: '>=', value: midnight });
    expect(conditionsIn('?placed_at=gte:2026-11-15')).toEqual({ field: 'placed_at', op: '>=', value: midnight });
  });

  it('keeps hostile text a value', () => {
    const hostile = `"><script>alert(1)</script>&event_id=2`;
    const query = stringifySearch({ event_id: hostile });
    expect(conditionsIn(query)).toEqual({ field: 'event_id', op: '=', value: hostile });
  });
});
