import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, vi } from 'vitest';
import { type CsvRecord, CsvRecords } from './csv-records.js';

type Part = string | Uint8Array;

function read(parts: readonly Part[], preferredSeparator?: string, maxRecordBytes = 200): CsvRecord[] {
  const records = new CsvRecords({ maxRecordBytes, preferredSeparator });
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  return [...bytes.flatMap((part) => Array.from(records.split(part))), ...records.end()];
}

const cellsOf = (...parts: string[]) => read(parts).map((record) => ('cells' in record ? record.cells : record.error));
const MISPLACED = 'is not CSV: a quote is out of place';
const NEVER_CLOSED = 'is not CSV: a quote is opened and never closed';

describe('a quote', () => {
  it('is a character of the cell where it does not begin it', () => {
    expect(cellsOf('id,notes\n1,Riser 12" high\n2,5\'4"\n3,"a ""b"""\n')).toEqual([
      ['id', 'notes'],
      ['1', 'Riser 12" high'],
      ['2', '5\'4"'],
      ['3', 'a "b"'],
    ]);
  });

  it('that is never closed costs its own line, however many good ones follow', () => {
    const good = Array.from({ length: 400 }, (_, index) => `${index},fine,"quoted, too"`);
    const records = read([['id,a,b', 'x,"open,b', ...good].join('\n')]);
    expect(records.filter((record) => 'error' in record)).toEqual([{ line: 2, error: MISPLACED }]);
    expect(records).toHaveLength(402);
    const plain = Array.from({ length: 40 }, (_, index) => `${index},fine,b`);
    const unclosed = read([['id,a,b', 'x,"open,b', ...plain].join('\n')]);
    expect(unclosed[1]).toEqual({ line: 2, error: NEVER_CLOSED });
    expect(unclosed.slice(2).map(({ line }) => line)).toEqual(plain.map((_, index) => index + 3));
    expect(unclosed.slice(2).every((record) => 'cells' in record)).toBe(true);
  });

  it('does not take the next line along into a record that has not the cells of the header', () => {
    expect(cellsOf('id,a\nx,"open\n2,fine" ,\n3,c\n')).toEqual([
      ['id', 'a'],
      NEVER_CLOSED,
      ['2', 'fine" ', ''],
      ['3', 'c'],
    ]);
  });

  it.each([
    ['"x"y,1', MISPLACED],
    ['"x', NEVER_CLOSED],
    ['"x"" ,1', NEVER_CLOSED],
  ])('costs the line %j', (line, error) => {
    expect(cellsOf(`id,a\n${line}\n2,b\n`)).toEqual([['id', 'a'], error, ['2', 'b']]);
  });

  it('may have blanks around it if the whole cell is quoted', () => {
    expect(cellsOf('id, a\n1, "x, ""y""" \n2, "x" y\n')).toEqual([
      ['id', ' a'],
      ['1', 'x, "y"'],
      ['2', ' "x" y'],
    ]);
  });

  it('holds line ends of any kind and blank lines', () => {
    expect(read(['id,a\n1,"x\r\n\r\ny\rz\n"\n2,b'])).toEqual([
      { line: 1, cells: ['id', 'a'] },
      { line: 2, cells: ['1', 'x\r\n\r\ny\rz\n'] },
      { line: 7, cells: ['2', 'b'] },
    ]);
  });

  it('before bytes that cannot be read costs its own line', () => {
    const records = read(['id,a\n1,"x\n', Buffer.from([0xc3, 0x28, 0x0a]), '3,c\n']);
    expect(records.slice(1)).toEqual([
      { line: 2, error: NEVER_CLOSED },
      { line: 3, error: 'is not UTF-8' },
      { line: 4, cells: ['3', 'c'] },
    ]);
  });
});

describe('the separator', () => {
  it.each([',', ';', '\t', '|'])('%j is found in the header', (separator) => {
    const lines = [
      ['id', '"a, b; c"', 'd'],
      ['1', '2', '3'],
    ]
      .map((cells) => cells.join(separator))
      .join('\r\n');
    expect(cellsOf(lines)).toEqual([
      ['id', 'a, b; c', 'd'],
      ['1', '2', '3'],
    ]);
  });

  it.each(['sep=;', 'SEP=;', '"sep=;"', '\uFEFFsep=;'])('is said by the first line %s', (first) => {
    expect(read([`${first}\r\nid;a,b,c,d\r\n1;2\r\n`])).toEqual([
      { line: 2, cells: ['id', 'a,b,c,d'] },
      { line: 3, cells: ['1', '2'] },
    ]);
  });

  it('is the preferred one if the header has it', () => {
    expect(read(['a, b, c\td\n'], '\t')).toEqual([{ line: 1, cells: ['a, b, c', 'd'] }]);
    expect(read(['a,b\n'], '\t')).toEqual([{ line: 1, cells: ['a', 'b'] }]);
  });
});

it('reads lines that end with a lone CR, and leaves out blank lines and rows without anything', () => {
  expect(read(['id,a\r\r1,x\r,\r ,  \r2,y'])).toEqual([
    { line: 1, cells: ['id', 'a'] },
    { line: 3, cells: ['1', 'x'] },
    { line: 6, cells: ['2', 'y'] },
  ]);
});

it('reads the same records however the bytes are split', () => {
  const piece = fc.constantFrom('a', 'é', '🎟', ',', '"', '""', '\n', '\r\n', '\r', ' ', ';', 'long'.repeat(30));
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const chunks: Uint8Array[] = [];
      let from = 0;
      for (const cut of cuts) chunks.push(bytes.subarray(from, (from += cut)));
      chunks.push(bytes.subarray(from));
      expect(read(chunks)).toEqual(read([bytes]));
    }),
    { numRuns: 300 },
  );
});

it('accounts for every line, whatever quotes there are', () => {
  const line = fc
    .array(fc.constantFrom('a', '"', '""', ',', ' "', '" '), { minLength: 1 })
    .map((all) => `x${all.join('')}`);
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const records = read([['id,a', ...lines, 'last,good'].join('\n')]);
      expect(records.at(-1)).toEqual({ line: lines.length + 2, cells: ['last', 'good'] });
      const starts = records.map((record) => record.line);
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
    }),
  );
});

it('reads well-formed CSV as csv-parse does', () => {
  const cell = fc.stringMatching(/^x[a-z",\n\r;]{0,8}$/).map((text) => `"${text.replaceAll('"', '""')}"`);
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
      const text = ['"id","a"', ...rows.map((row) => row.join(','))].join('\n');
      expect(cellsOf(text)).toEqual(parse(text, { record_delimiter: '\n' }));
    }),
  );
});

/** Without what is garbage. */
function bufferedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

it('buffers at most one record while an endless line, or an endless quote, arrives', async () => {
  const endless = new CsvRecords({ maxRecordBytes: 1024 });
  const before = bufferedBytes();
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 100; count += 1) expect(endless.split(Buffer.from(chunk)).next().done).toBe(true);
  // A hundred chunks came. The collection frees some of them only in a later turn; what is still referred to stays.
  await vi.waitFor(() => expect(bufferedBytes() - before).toBeLessThan(25 * 1024 * 1024), 10_000);
  const open = new CsvRecords({ maxRecordBytes: 64 * 1024 });
  const lines = Buffer.from('"line\n'.repeat(10_000));
  let records = 0;
  for (let count = 0; count < 5; count += 1) for (const _ of open.split(lines)) records += 1;
  expect(records).toBeGreaterThan(49_990);
});
