import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './query-string.js';

const entries = (query: string) => [...parseQuery(`/2/events?${query}`)];

describe('a query', () => {
  it.each<[string, [string, (string | undefined)[]][]]>([
    ['', []],
    ['&&=x&', []],
    ['a', [['a', ['']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a=b=c', [['a', ['b=c']]]],
    ['performers%5Bhome_team%5D.id=5', [['performers[home_team].id', ['5']]]],
    ['performers[home_team].id=5', [['performers[home_team].id', ['5']]]],
    ['q=new+york%20mets%2B', [['q', ['new york mets+']]]],
    [
      'q=%zz&r=%C3%28&s=%ED%A0%80',
      [
        ['q', [undefined]],
        ['r', [undefined]],
        ['s', [undefined]],
      ],
    ],
    ['%zz=1&ok=1', [['ok', ['1']]]],
    [
      '__proto__=1&constructor=2&toString=3',
      [
        ['__proto__', ['1']],
        ['constructor', ['2']],
        ['toString', ['3']],
      ],
    ],
  ])('%s', (query, expected) => {
    expect(entries(query)).toEqual(expected);
  });

  it('is empty without a question mark, and continues after a second one', () => {
    expect([...parseQuery('/2/events')]).toEqual([]);
    expect(entries('a=1?&b=2')).toEqual([
      ['a', ['1?']],
      ['b', ['2']],
    ]);
  });

  it('written by URLSearchParams is read unchanged', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(pairs, (given) => {
        const params = new URLSearchParams(given);
        params.delete('');
        const read = parseQuery(`/x?${params.toString()}`);
        expect([...read.keys()]).toEqual([...new Set(params.keys())]);
        for (const [name, values] of read) expect(values).toEqual(params.getAll(name));
      }),
    );
  });

  it('of any text is read quickly', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => void parseQuery(`/x?${query}`)));
    const huge = Array.from({ length: 10_000 }, (_, index) => `performers[${'['.repeat(20)}${index}].id=${index}`);
    const began = performance.now();
    expect(parseQuery(`/x?${huge.join('&')}`).size).toBe(10_000);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
