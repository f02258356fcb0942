import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCardData, maskCardData } from './card-data.contract.js';

describe('card data in a free field', () => {
  it.each([
    ['4111111111111111', '************1111'],
    ['4111 1111 1111 1111', '**** **** **** 1111'],
    ['4111-1111-1111-1111', '****-****-****-1111'],
    ['pay 5555555555554444, please', 'pay ************4444, please'],
    ['card4111111111111111x', 'card************1111x'],
    ['4111 1111 1111 1111 12/28 123', '**** **** **** 1111 12/28 123'],
    ['12/28 4111 1111 1111 1111', '12/28 **** **** **** 1111'],
    ['371449635398431 and 6011111111111117', '***********8431 and ************1117'],
    ['first 4111.1111.1111.1111 4000.0000.0000.0002', 'first ****.****.****.1111 ****.****.****.0002'],
  ])('is masked in %j', (text, expected) => {
    expect(hasCardData(text)).toBe(true);
    expect(maskCardData(text)).toBe(expected);
  });

  it.each([
    '4111111111111112',
    '1234567812345670',
    '1700000000000',
    '41111111111111114111',
    '+1 415 555 2671',
    '12345678-1234-4123-8123-123456789012',
    'no digits',
    '',
  ])('is not seen in %j', (text) => {
    expect(hasCardData(text)).toBe(false);
    expect(maskCardData(text)).toBe(text);
  });

  it('is masked wherever it is in a value of JSON: texts, numbers, names and lists', () => {
    const fields = {
      note: ['a', { deep: 'x 4111111111111111' }],
      pan: 4111111111111111,
      '5555 5555 5555 4444': true,
      cvv: '123',
      security_code: 1234,
      kept: { cvv: 'none', cid: 'abc', count: 12, empty: null },
    };
    expect(maskCardData(fields)).toEqual({
      note: ['a', { deep: 'x ************1111' }],
      pan: '************1111',
      '**** **** **** 4444': true,
      cvv: '***',
      security_code: '****',
      kept: { cvv: 'none', cid: 'abc', count: 12, empty: null },
    });
  });

  it('is seen in a whole number that no double can hold', () => {
    const pan = 6_205_500_000_000_000_004n;
    expect(hasCardData({ list: [pan] })).toBe(true);
    expect(maskCardData({ list: [pan, pan + 1n] })).toEqual({ list: ['***************0004', pan + 1n] });
  });

  it.each([
    [{ '5555 5555 5555 4444': true }],
    [{ cvv: '123' }],
    [{ deep: [{ security_code: 1234 }] }],
    [4111111111111111],
  ])('is seen in %j alone', (value) => {
    expect(hasCardData(value)).toBe(true);
    expect(hasCardData(maskCardData(value))).toBe(false);
  });

  it('is found in any text around it, and nothing else changes', () => {
    const word = fc.string({ maxLength: 20 }).filter((text) => !/\d|[ \u00a0._/-]$|^[ \u00a0._/-]/.test(text));
    fc.assert(
      fc.property(word, word, (before, after) => {
        expect(maskCardData(`${before}4111111111111111${after}`)).toBe(`${before}************1111${after}`);
      }),
    );
  });

  it('leaves a value without card data untouched', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (!hasCardData(value)) expect(maskCardData(value)).toBe(value);
        else expect(hasCardData(maskCardData(value))).toBe(false);
      }),
    );
  });
});
