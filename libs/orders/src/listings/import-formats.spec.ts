import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedRecord } from '#runtime/json-lines-reader';
import { CsvReader, HeaderError } from './import-formats.js';

function readCsv(...lines: string[]): ParsedRecord[] {
  return new CsvReader().read(lines.map((text, index) => ({ line: index + 1, text })));
}

describe('CsvReader', () => {
  it('reads the cells into the fields of their columns', () => {
    const header = 'listing_id,seats,quantity,price,split_rule,tax_rates,notes,confirm_within_minutes';
    expect(readCsv(header, `lst-1,"[""1"",""2""]",2,19.99,pairs,"{""US"":0.05}","a, b",`)).toEqual([
      {
        line: 2,
        value: {
          listing_id: 'lst-1',
          seats: ['1', '2'],
          quantity: 2,
          price: 19.99,
          split_rule: 'pairs',
          tax_rates: { US: 0.05 },
          notes: 'a, b',
        },
      },
    ]);
  });

  it('reads a split rule of numbers as a list', () => {
    expect(readCsv('listing_id,split_rule', 'a,"[2,4]"')).toMatchObject([{ value: { split_rule: [2, 4] } }]);
  });

  it.each(['1e3', '0x10', 'NaN', '1,5', '--1', 'ten', ' '])('leaves %j, which is no number, to the schema', (cell) => {
    expect(readCsv('listing_id,quantity', `a,"${cell}"`)).toMatchObject([{ value: { quantity: cell } }]);
  });

  it.each(['[1', '{"__proto__":{"a":1}}'])('leaves %j, which is no JSON, to the schema', (cell) => {
    const quoted = cell.replaceAll('"', '""');
    expect(readCsv('listing_id,tax_rates', `a,"${quoted}"`)).toMatchObject([{ value: { tax_rates: cell } }]);
  });

  it('reports malformed records and reads the rest', () => {
    expect(readCsv('listing_id,row', 'a,1', 'b', 'c,"x"y', 'd,2,3', 'e,5')).toEqual([
      { line: 2, value: { listing_id: 'a', row: '1' } },
      { line: 3, error: 'has 1 cells under a header of 2' },
      { line: 4, error: 'is not CSV: a quote is out of place' },
      { line: 5, error: 'has 3 cells under a header of 2' },
      { line: 6, value: { listing_id: 'e', row: '5' } },
    ]);
  });

  it.each([
    ['listing_id,colour', 'column 2 of the header is not a field of a listing'],
    ['listing_id,price,price', 'the header names a field twice'],
    ['event_id,price', 'the header does not name listing_id'],
    ['listing_id,__proto__', 'column 2 of the header is not a field of a listing'],
    ['"listing_id', 'the header does not name listing_id'],
  ])('rejects the header %j', (header, message) => {
    expect(() => readCsv(header, 'a,b')).toThrow(new HeaderError(1, message));
  });

  it('reads each record as it would alone, whatever the other records are', () => {
    const cell = fc.constantFrom('a', '"b"', '"c""d"', '"e\nf"', 'g"h', '"i"j', '');
    const record = fc
      .array(cell, { minLength: 1, maxLength: 3 })
      .map((cells) => cells.join(','))
      .filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), (records) => {
        const header = 'listing_id,row,notes';
        const alone = records.flatMap((text) => readCsv(header, text));
        const together = readCsv(header, ...records);
        expect(together.map(withoutLine)).toEqual(alone.map(withoutLine));
      }),
      { numRuns: 500 },
    );
  });
});

function withoutLine(read: ParsedRecord): object {
  return 'error' in read ? { error: read.error } : { value: read.value };
}
