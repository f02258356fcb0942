import { describe, expect, it } from 'vitest';
import { looksLikePhone, phoneKeys } from './phone-keys.js';

const isSame = (a: string, b: string) => phoneKeys(a).some((key) => phoneKeys(b).includes(key));

describe('phoneKeys', () => {
  const spellings = [
    ['+1 (212) 555-0100', '212 555 0100', '12125550100', '001 212 555 0100', '1-212-555-0100 x123', '212.555.0100'],
    ['+44 (0)20 7946 0000', '020 7946 0000', '0044 20 7946 0000', '011 44 20 7946 0000', '442079460000'],
    ['+49 30 123456', '030/123456', '0049 (0)30 123456', '+49 (0) 30 12 34 56 Durchwahl 7', '030 123456 ext. 5'],
    ['+7 912 345-67-89', '8 (912) 345-67-89', '79123456789', '9123456789', '+7 912 345 67 89 доб. 12'],
    ['+39 06 6981 2345', '06 69812345', '0039 06 69812345'],
    ['+65 9123 4567', '91234567', '6591234567', '9123 4567;ext=8'],
    ['+354 581 2345', '5812345', '00354-581-2345 #12'],
    ['+86 138 1234 5678', '13812345678', '8613812345678', '０１３８１２３４５６７８'],
    ['+1 656 912 3456', '(656) 912-3456', '6569123456'],
  ];

  it.each(spellings)('takes %s for one number with its other spellings', (...same) => {
    for (const one of same) for (const other of same) expect(isSame(one, other), `${one} = ${other}`).toBe(true);
  });

  it('takes none of these for another', () => {
    for (const [index, one] of spellings.entries()) {
      for (const other of spellings.slice(index + 1).flat()) expect(isSame(one[0]!, other), other).toBe(false);
    }
  });

  it('needs the whole number', () => {
    expect(isSame('+1 212 555 0100', '555 0100')).toBe(false);
    expect(isSame('+1 212 555 0100', '212 555 010')).toBe(false);
  });

  it('compares what is no telephone number by its digits', () => {
    expect(phoneKeys('555')).toEqual(['555']);
    expect(isSame('+1 212 555', '1212555')).toBe(true);
    expect(phoneKeys('none')).toEqual([]);
    expect(phoneKeys('0')).toEqual(['0']);
  });

  it('stores one form of a number with its country code', () => {
    expect(phoneKeys('+1 212 555 0100')).toEqual(['2125550100']);
    expect(phoneKeys('212 555 0100')).toEqual(['2125550100']);
  });
});

describe('looksLikePhone', () => {
  it.each(['+1 (212) 555-0100', '030/123456', '212 555 0100 ext. 5', '555', '٠٣٠١٢٣٤٥٦'])('%s does', (text) => {
    expect(looksLikePhone(text)).toBe(true);
  });
  it.each(['ord_0195', 'Smith 2', '12', 'ada555@example.com', '1Z999AA10123456784'])('%s does not', (text) => {
    expect(looksLikePhone(text)).toBe(false);
  });
});
