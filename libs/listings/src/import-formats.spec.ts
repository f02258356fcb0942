import { describe, expect, it } from 'vitest';
import { ColumnWords } from './listing-import.contract.js';
import { DefaultsError, lineReader, readDefaults, type ReadLine } from './import-formats.js';

type Given = { map?: string[]; defaults?: object };

function readWith({ map = [], defaults = {} }: Given, ...lines: string[]) {
  const options = { maxRecordBytes: 10_000, map: ColumnWords.parse(map), defaults: { ...defaults } };
  const reader = lineReader('csv', options);
  return { lines: [...reader.split(Buffer.from(lines.join('\n'))), ...reader.end()], columns: reader.columns };
}

function readCsv(...lines: string[]): readonly ReadLine[] {
  return readWith({}, ...lines).lines;
}

const headerError = (given: Given, header: string) => readWith(given, header, 'a,b', 'c,d').lines;

describe('the cells of CSV', () => {
  it('are the fields of their columns', () => {
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

  it('are lists where a field takes some', () => {
    expect(readCsv('listing_id,split_rule,seats', 'a,"[2,4]","5, 6;7"')).toMatchObject([
      { value: { split_rule: [2, 4], seats: ['5', '6', '7'] } },
    ]);
  });

  it.each([
    ['$1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
    ["1'234.50", 1234.5],
    ['1,234', 1234],
    ['12,5', 12.5],
    ['US$ 80', 80],
    ['80.00 USD', 80],
    ['-5', -5],
    [' 7.5 ', 7.5],
    ['1.234', 1.234],
  ])('%j is the price %d', (cell, price) => {
    expect(readCsv('listing_id,price', `a,"${cell}"`)).toMatchObject([{ value: { price } }]);
  });

  it.each(['1e3', '0x10', 'NaN', '--1', 'ten', '€5', '1,23,4', '1.2.3', '$'])(
    '%j, which is no price, is left to the schema',
    (cell) => {
      expect(readCsv('listing_id,price', `a,"${cell}"`)).toMatchObject([{ value: { price: cell } }]);
    },
  );

  it.each([
    ['1,000', 1_000],
    ['2.00', 2],
    ['1.000', '1.000'],
    ['1,5', '1,5'],
  ])('%j is the quantity %j', (cell, quantity) => {
    expect(readCsv('listing_id,quantity', `a,"${cell}"`)).toMatchObject([{ value: { quantity } }]);
  });

  it.each(['[1', '{"__proto__":{"a":1}}'])('%j, which is no JSON, is left to the schema', (cell) => {
    const quoted = cell.replaceAll('"', '""');
    expect(readCsv('listing_id,tax_rates', `a,"${quoted}"`)).toMatchObject([{ value: { tax_rates: cell } }]);
  });

  it('may be too few or too many: that costs their line', () => {
    expect(readCsv('listing_id,row', 'a,1', 'b', 'c,"x"y', 'd,2,3', 'e,5,,', 'f,6')).toEqual([
      { line: 2, value: { listing_id: 'a', row: '1' } },
      { line: 3, error: 'has 1 cells under a header of 2' },
      { line: 4, error: 'is not CSV: a quote is out of place' },
      { line: 5, error: 'has 3 cells under a header of 2' },
      { line: 6, value: { listing_id: 'e', row: '5' } },
      { line: 7, value: { listing_id: 'f', row: '6' } },
    ]);
  });
});

describe('the header of CSV', () => {
  it('names fields in any case, and columns that are ignored', () => {
    const { lines, columns } = readWith(
      {},
      '\uFEFFListing ID;SECTION;Wholesale-Price;Colour;;__proto__;',
      'a;104;9;red;;x;',
    );
    expect(lines).toEqual([{ line: 2, value: { listing_id: 'a', section: '104', wholesale_price: 9 } }]);
    expect(columns).toMatchObject({
      taken: [
        { column: 'Listing ID', field: 'listing_id' },
        { column: 'SECTION', field: 'section' },
        { column: 'Wholesale-Price', field: 'wholesale_price' },
      ],
      ignored: ['Colour', 'column 5', '__proto__', 'column 7'],
    });
  });

  it('of a point of sale needs no id, and what the seller paid is no price', () => {
    const header = 'Event,Venue,Event Date,Section,Row,Quantity,Cost,Price,In hand date,Seat from,Seat thru';
    const { columns, lines } = readWith({}, header, 'A,B,11/27/2026,1,2,2,50.00,$80.00,11/20/2026,5,6');
    expect(columns).toMatchObject({ ignored: ['Cost'], lacksId: true });
    expect(lines).toMatchObject([{ value: { price: 80, in_hand_at: '2026-11-20', seat_from: '5', event: 'A' } }]);
  });

  it.each([
    ['yes', true],
    ['TRUE', true],
    ['0', false],
    ['maybe', 'maybe'],
  ])('says %s of tickets that the seller may not have: %j', (cell, speculative) => {
    const { lines } = readWith({}, 'listing_id,External ID,Speculative', `a,pos-7,${cell}`);
    expect(lines).toEqual([{ line: 2, value: { listing_id: 'a', external_id: 'pos-7', speculative } }]);
  });

  it('is read as a map says, which counts more than a name', () => {
    const map = ['id=listing_id,Price, USD=price', 'Price='];
    const { lines, columns } = readWith({ map }, 'ID;Price;"Price, USD"', 'a;1;2');
    expect(lines).toEqual([{ line: 2, value: { listing_id: 'a', price: 2 } }]);
    expect(columns?.ignored).toEqual(['Price']);
  });

  it('without an id is still described, so that a person can map it', () => {
    const { columns } = readWith({}, 'Ticket,Section,', 'a,b,');
    expect(columns).toMatchObject({ taken: [{ column: 'Section' }], ignored: ['Ticket', 'column 3'] });
    expect(readWith({ map: ['Ticket=listing_id', 'column 3=row'] }, 'Ticket,Section,', 'a,b,c').lines).toEqual([
      { line: 2, value: { listing_id: 'a', section: 'b', row: 'c' } },
    ]);
  });

  it.each([
    ['listing_id,price,price', {}, 'the header names price twice'],
    ['listing_id,price,Price', {}, 'the header names price twice'],
    ['event_id,price', {}, 'the header does not name listing_id'],
    ['listing_id,price', { map: ['cost=fees'] }, 'map: the header has no column "cost"'],
    ['listing_id,a,b', { map: ['a=price,b=price'] }, 'the header names price twice'],
    ['{"listing_id":"a","price":1}', {}, 'the file is JSON lines, not CSV'],
    ['"listing_id', {}, 'the header is not CSV: a quote is opened and never closed'],
  ])('is refused if it is %j, and the lines behind it are counted', (header, given, message) => {
    expect(headerError(given, header)).toEqual([
      { line: 1, header: message },
      { line: 2, unread: true },
      { line: 3, unread: true },
    ]);
  });
});

describe('defaults', () => {
  it('fill what a line lacks, in CSV and JSON lines', () => {
    const defaults = { fees: 5, notes: 'all', row: 'R' };
    expect(readWith({ defaults }, 'listing_id,fees,notes,row', 'a,,,', 'b,1,x,').lines).toMatchObject([
      { value: { listing_id: 'a', fees: 5, notes: 'all', row: 'R' } },
      { value: { listing_id: 'b', fees: 1, notes: 'x', row: 'R' } },
    ]);
    const reader = lineReader('jsonl', { maxRecordBytes: 1_000, map: new Map(), defaults });
    expect(Array.from(reader.split(Buffer.from('{"listing_id":"a","fees":1}\n[]\nnull\n')))).toMatchObject([
      { value: { listing_id: 'a', fees: 1, notes: 'all' } },
      { value: [] },
      { value: null },
    ]);
  });

  it('are JSON or single fields, of which the later ones count', () => {
    const json = '{"fees":1,"delivery_methods":[{"type":"download","name":"E","cost":0}]}';
    expect(readDefaults([json, 'fees=$2.50', 'split_rule=pairs', 'notes=a=b'])).toEqual({
      fees: 2.5,
      delivery_methods: [{ type: 'download', name: 'E', cost: 0 }],
      split_rule: 'pairs',
      notes: 'a=b',
    });
  });

  it.each([
    ['fees=-1', /^defaults: fees: /],
    ['colour=red', /^defaults: .*colour/],
    ['listing_id=a', /^defaults: .*listing_id/],
    ['{"fees":', 'defaults: is not JSON'],
    ['fees', 'defaults: must be a JSON object, or field=value'],
  ])('%j is refused by name', (text, message) => {
    expect(() => readDefaults([text])).toThrow(DefaultsError);
    expect(() => readDefaults([text])).toThrow(message);
  });
});
