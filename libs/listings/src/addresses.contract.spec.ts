import countries from 'iso-3166-1';
import subdivisions from 'iso-3166-2';
import { describe, expect, it } from 'vitest';
import { countryCode, isPostalCode, stateCode } from './addresses.contract.js';

describe('countries', () => {
  it.each([
    ['US', 'US'],
    ['us', 'US'],
    ['USA', 'US'],
    ['gbr', 'GB'],
    [' CA ', 'CA'],
    ['UK', 'GB'],
    ['uk', 'GB'],
    ['EL', 'GR'],
    ['XK', 'XK'],
    ['xkx', 'XK'],
  ])('%j is %s', (sent, code) => expect(countryCode(sent)).toBe(code));

  it.each(['', 'XX', 'ZZZ', 'United States', '840', '__proto__', 'constructor'])('%j is none', (sent) => {
    expect(countryCode(sent)).toBe(null);
  });
});

describe('states', () => {
  it.each([
    ['US', 'ny', 'NY'],
    ['US', 'DC', 'DC'],
    ['US', 'PR', 'PR'],
    ['US', 'AE', 'AE'],
    ['CA', 'qc', 'QC'],
    ['AU', 'nsw', 'NSW'],
    ['GB', 'Kent', 'Kent'],
    ['FR', '', ''],
  ])('in %s, %j is %j', (country, sent, code) => expect(stateCode(country, sent)).toBe(code));

  it.each(['US', 'CA', 'AU'])('of %s are those of ISO 3166-2', (country) => {
    const codes = Object.keys(subdivisions.country(country)?.sub ?? {}).map((code) => code.replace(/^..-/, ''));
    expect(codes.length).toBeGreaterThan(7);
    for (const code of codes) expect(stateCode(country, code)).toBe(code);
    const military = country === 'US' ? ['AA', 'AE', 'AP'] : [];
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const accepted = pairs.filter((pair) => stateCode(country, pair) !== null);
    expect(accepted).toEqual([...codes, ...military].filter((code) => code.length === 2).sort());
  });

  it.each([
    ['US', ''],
    ['US', 'ON'],
    ['US', 'New York'],
    ['CA', 'NY'],
    ['AU', ''],
  ])('in %s, %j is unknown', (country, sent) => expect(stateCode(country, sent)).toBe(null));
});

describe('postal codes', () => {
  it.each([
    ['US', '10001'],
    ['US', '10001-1234'],
    ['US', ' 10001 '],
    ['CA', 'k1a 0b1'],
    ['GB', 'SW1A 1AA'],
    ['HK', ''],
    ['HK', 'anything'],
    ['CW', ''],
    ['CW', 'anything'],
    ['TW', '106409'],
    ['AR', 'C1425CLA'],
    ['VN', '11022'],
    ['PL', '00950'],
    ['BR', '01310100'],
    ['SA', '12271-3456'],
    ['KY', 'KY1-1000'],
    ['JP', '〒100-0001'],
    ['JP', '１００－０００１'],
    ['XK', '10000'],
    ['IE', 'D02 AF30'],
    ['JM', ''],
    ['PA', ''],
    ['IE', ''],
    ['AE', ' '],
    ['XK', ''],
    ['CL', ''],
    ['JM', '-'],
  ])('%s accepts %j', (country, text) => expect(isPostalCode(country, text)).toBe(true));

  it.each([
    ['US', ''],
    ['US', '1234'],
    ['US', 'K1A 0B1'],
    ['CA', '10001'],
    ['DE', ''],
    ['GB', ' '],
    ['DE', '-'],
    ['DE', '1(*+'],
    ['HK', 'a <b>'],
    ['TW', '1'.repeat(17)],
    ['CA', ''],
    ['US', '1'.repeat(255)],
  ])('%s rejects %j', (country, text) => expect(isPostalCode(country, text)).toBe(false));

  it('can be checked for every country', () => {
    for (const { alpha2 } of countries.all()) expect(typeof isPostalCode(alpha2, '1(*+')).toBe('boolean');
  });
});
