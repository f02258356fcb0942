import { describe, expect, it } from 'vitest';
import { cardNumber, expiryMonth, expiryYear, isCurrent, isCvv } from './cards.contract.js';

describe('card numbers', () => {
  it.each([
    ['4111111111111111', 'visa', 3],
    ['4111 1111-1111 1111', 'visa', 3],
    ['5555555555554444', 'mastercard', 3],
    ['378282246310005', 'american-express', 4],
    ['6011111111111117', 'discover', 3],
    ['30569309025904', 'diners-club', 3],
    ['3530111333300000', 'jcb', 3],
    ['4000000000000002', 'visa', 3],
    ['4000000000000341', 'visa', 3],
    ['4000000000000119', 'visa', 3],
  ])('%s is %s', (sent, brand, cvvLength) => {
    expect(cardNumber(sent)).toEqual({ digits: sent.replace(/[ -]/g, ''), brand, cvvLength });
  });

  it.each([
    '',
    '4111111111111112',
    '411111111111111',
    '4111a11111111111',
    '0'.repeat(16),
    '4'.repeat(5000),
    '---',
    '٤١١١',
  ])('%s is invalid', (sent) => expect(cardNumber(sent)).toBe(null));
});

describe('a CVV', () => {
  it('has the length of its brand', () => {
    expect(isCvv('123', 3)).toBe(true);
    expect(isCvv('1234', 3)).toBe(false);
    expect(isCvv('1234', 4)).toBe(true);
    expect(isCvv('123', 4)).toBe(false);
    expect(isCvv('1234')).toBe(true);
  });

  it.each(['', '12', '12345', '12a', ' 123', '123\n'])('is not %j', (sent) => expect(isCvv(sent)).toBe(false));
});

describe('an expiry date', () => {
  it('accepts months with and without a zero, years of two and four digits', () => {
    expect(['1', '01', '12', '0', '00', '13', '1.', '-1', ''].map(expiryMonth)).toEqual([
      1,
      1,
      12,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(['31', '2031', '1', '203', '20310', 'abcd', ''].map(expiryYear)).toEqual([
      2031,
      2031,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('ends with its month, in any time zone', () => {
    expect(isCurrent(2026, 11, Date.parse('2026-11-01T00:00:00Z'))).toBe(true);
    expect(isCurrent(2026, 11, Date.parse('2026-12-01T11:59:59Z'))).toBe(true);
    expect(isCurrent(2026, 11, Date.parse('2026-12-01T12:00:00Z'))).toBe(false);
    expect(isCurrent(2026, 12, Date.parse('2027-01-01T11:59:59Z'))).toBe(true);
    expect(isCurrent(2026, 12, Date.parse('2027-01-01T12:00:00Z'))).toBe(false);
  });

  it('rejects typos', () => {
    const now = Date.parse('2026-11-21T00:00:00Z');
    expect(isCurrent(2046, 12, now)).toBe(true);
    expect(isCurrent(2047, 1, now)).toBe(false);
    expect(isCurrent(1999, 1, now)).toBe(false);
  });
});
