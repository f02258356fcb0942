import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseForeignJson, parseJson, stringifyJson } from './json.js';

describe('JSON', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '{"cart_id":1152921506151679042}',
    '{"a":[1, -1152921506151679042,9007199254740992],"b":{"c":123456789012345678901234567890}}',
    '[\n9007199254740993\n]',
    '{"a":1,"a":9007199254740993}',
  ])('keeps the digits of %s', (text) => {
    for (const parse of [parseJson, parseForeignJson]) {
      const digits = stringifyJson(parse(text)).match(/-?\d{16,}/g);
      expect(digits).toEqual(text.match(/-?\d{16,}/g));
    }
  });

  it('has doubles for all other numbers', () => {
    const text = '[1, 9007199254740991, 0.12345678901234567890, 141.9000000000000056843, 1e21, 1.5e300, -0, 1e400]';
    const doubles = [1, 9_007_199_254_740_991, 0.123_456_789_012_345_68, 141.9, 1e21, 1.5e300, -0, Infinity];
    expect(parseJson(text)).toEqual(doubles);
    expect(parseJson(`[${'9'.repeat(400)}]`)).toEqual([Infinity]);
    expect(stringifyJson(parseJson(`[9007199254740993, 0.1, 1e2, -0]`))).toBe('[9007199254740993,0.1,100,0]');
  });

  it('is what JSON.parse and JSON.stringify make of it, but for the digits', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), fc.boolean(), (value, indent, isLong) => {
        const text = JSON.stringify({ id: isLong ? 2 ** 53 + 2 : 7, value }, null, indent);
        // No name that would change a prototype comes in.
        fc.pre(!text.includes('"__proto__"'));
        const parsed = parseJson(text) as { id: unknown };
        expect(typeof parsed.id).toBe(isLong ? 'bigint' : 'number');
        expect(stringifyJson(parsed, indent)).toBe(text);
        if (!/\d{16}/.test(text)) expect(parsed).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', '{', '01', '[9007199254740993', '{"a":9007199254740993,}', '9007199254740993 1'])(
    'is not %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
    },
  );

  it('of others changes no prototype', () => {
    for (const text of ['{"__proto__":{"a":9007199254740993}}', '{"constructor":{"prototype":{"a":1}}}']) {
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
    }
  });

  it('says that a cycle cannot be written', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => stringifyJson(cycle)).toThrow(Error);
  });
});
