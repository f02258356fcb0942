import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvLine, looksLikeFormula } from './csv-text.js';

it.each(['=1+1', '+1 555', '-2', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1', '\u00a0=1'])('defuses %j', (text) => {
  expect(looksLikeFormula(text)).toBe(true);
  expect(parse(csvLine([text]), { trim: false })).toEqual([[`'${text}`]]);
});

it.each(['a=b', "O'Neil", '1-2', '', 'x\t=1'])('leaves %j as it is', (text) => {
  expect(looksLikeFormula(text)).toBe(false);
});

it('leaves numbers as they are, negative ones too, and has nothing for null', () => {
  expect(csvLine([-2.5, 0, null, 'x'])).toBe('-2.5,0,,x\r\n');
});

it('gives back every text that it does not defuse', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(texts, (values) => {
      const expected = values.map((value) => (looksLikeFormula(value) ? `'${value}` : value));
      expect(parse(csvLine(values), { record_delimiter: '\r\n', bom: false })).toEqual([expected]);
    }),
    { numRuns: 20 },
  );
});
