import { describe, expect, it } from 'vitest';
import { masked, maskedBeyond } from './masking.js';

describe('masked personal data', () => {
  it.each([
    ['ada@example.com', 'a••@example.com'],
    ['a@example.com', '••@example.com'],
    ['"a@b"@example.com', '"••@example.com'],
    ['Lovelace', 'L••'],
    ['李', '••'],
    ['😀 Ada', '😀••'],
    ['+1 212 555 0142', '••42'],
    ['12 Analytical Way', '1••'],
    ['10001', '1••'],
    ['', ''],
  ])('%j is %j', (text, expected) => {
    expect(masked({ text })).toEqual({ text: expected });
  });

  it.each([
    ['ada.l', 'ada.lovelace@example.com', 'ada.l••@example.com'],
    ['ada', 'ada@example.com', 'ada@example.com'],
    ['Lovelace', 'Lovelace', 'Lovelace'],
    ['Love', 'Lovelace', 'Love••'],
    ['Grace', 'Lovelace', 'L••'],
    ['', 'Lovelace', 'L••'],
  ])('keeps %j of %j', (known, text, expected) => {
    expect(maskedBeyond(known, text)).toBe(expected);
  });

  it('keeps its shape, state and country, and loses numbers', () => {
    const data = {
      a: { state: 'NY', country: 'US', city: 'Albany' },
      location: { lat: 40.7, lon: -74 },
      list: ['Ada', 1],
    };
    expect(masked(data)).toEqual({
      a: { state: 'NY', country: 'US', city: 'A••' },
      location: { lat: null, lon: null },
      list: ['A••', null],
    });
    expect([masked(null), masked({})]).toEqual([null, {}]);
    expect(masked({ state: { city: 'Albany' } })).toEqual({ state: { city: 'A••' } });
  });
});
