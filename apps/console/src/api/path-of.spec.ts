import { describe, expect, it } from 'vitest';
import { pathOf } from './path-of.js';

describe('pathOf', () => {
  it('encodes what it fills in', () => {
    expect(pathOf('GET listings/{listing_id}', { path: { listing_id: 'a/b c' } })).toBe('listings/a%2Fb%20c');
  });

  it('repeats an argument with several values, and leaves out what is undefined', () => {
    const query = { map: ['Row=row', 'Preis=price'], limit: 5, cursor: undefined };
    expect(pathOf('GET listings', { query })).toBe('listings?map=Row%3Drow&map=Preis%3Dprice&limit=5');
  });

  it('has no question mark without arguments', () => {
    expect(pathOf('GET jobs', { query: { cursor: undefined } })).toBe('jobs');
  });
});
