import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { CheckoutListing, ListingQuery } from './checkout-listing.contract.js';

const field = (query: unknown) => ListingQuery.safeParse(query).error?.issues[0]?.path.join('.');

describe('the query of a lookup', () => {
  it('has only optional arguments', () => {
    expect(ListingQuery.parse({})).toEqual({});
    expect(ListingQuery.parse({ event_id: '', quantity: '', country: '', state: '' })).toEqual({});
    expect(ListingQuery.parse({ utm: 'x' })).toEqual({});
  });

  it('reads quantities, and countries by either code', () => {
    expect(ListingQuery.parse({ quantity: '4', country: 'usa', state: 'ny' })).toEqual({
      quantity: 4,
      country: 'US',
      state: 'ny',
    });
    expect(ListingQuery.parse({ country: 'Narnia' })).toEqual({ country: 'Narnia' });
  });

  it('accepts 0 and -1, because the listing rejects them', () => {
    expect(ListingQuery.parse({ quantity: '0' })).toEqual({ quantity: 0 });
    expect(ListingQuery.parse({ quantity: '-1' })).toEqual({ quantity: -1 });
    expect(ListingQuery.parse({ quantity: '9'.repeat(400) })).toEqual({ quantity: Number.MAX_SAFE_INTEGER });
  });

  it.each(['x', '1.5', '1e3', '0x10', ' 1', ['1', '2']])('has no quantity %j', (quantity) => {
    expect(field({ quantity })).toBe('quantity');
  });

  it.each(['country', 'state'])('has no endless and no repeated %s', (key) => {
    expect(field({ [key]: 'x'.repeat(65) })).toBe(key);
    expect(field({ [key]: ['US', 'CA'] })).toBe(key);
  });
});

it('the documents can be shown as JSON Schema', () => {
  expect(z.toJSONSchema(ListingQuery, { io: 'input' }).properties).toHaveProperty('quantity.type', 'integer');
  expect(z.toJSONSchema(CheckoutListing)).toHaveProperty('$ref');
});
