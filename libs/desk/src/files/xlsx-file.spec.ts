import { inflateRawSync } from 'node:zlib';
import saxes from 'saxes';
import { expect, it } from 'vitest';
import type { ExportValue } from './export-columns.js';
import { xlsxFile } from './xlsx-file.js';

type Cell = Readonly<{
  place: string;
  type: string | undefined;
  style: string | undefined;
  text: string;
  hasFormula: boolean;
}>;

async function* inPages(rows: readonly ExportValue[][], size: number) {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

async function written(rows: readonly ExportValue[][], limits?: { rows: number; bytes: number }) {
  const pieces: Buffer[] = [];
  const names = ['id', 'at', 'total'];
  for await (const piece of xlsxFile(names, ['text', 'time', 'number'], inPages(rows, 3), limits)) pieces.push(piece);
  return entriesOf(Buffer.concat(pieces));
}

/** The files of a zip archive, by its directory. */
function entriesOf(zip: Buffer): ReadonlyMap<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? zip.readUInt32LE(at + offset) : zip.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const content = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(name, inflateRawSync(zip.subarray(content, content + size)).toString());
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

function cellsOf(xml: string): Cell[] {
  const cells: Cell[] = [];
  const parser = new saxes.SaxesParser();
  let cell: { -readonly [Key in keyof Cell]: Cell[Key] } | undefined;
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'c')
      cell = {
        place: attributes['r'] ?? '',
        type: attributes['t'],
        style: attributes['s'],
        text: '',
        hasFormula: false,
      };
    if (name === 'f' && cell) cell.hasFormula = true;
  });
  parser.on('text', (text) => {
    if (cell) cell.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'c' && cell) cells.push(cell);
    if (name === 'c') cell = undefined;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return cells;
}

it('is a workbook whose parts are well-formed and point to each other', async () => {
  const files = await written([['a', '2026-11-23T00:00:00.000Z', 1]]);
  for (const xml of files.values()) cellsOf(xml);
  expect([...files.keys()].toSorted()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
});

it('has texts, numbers and times of their own kinds, and nothing for null', async () => {
  const files = await written([
    ['=1+1', '2026-11-23T06:00:00.000Z', -2.5],
    ['<&>"\r\n\t\0 é☃😀 ', null, null],
  ]);
  const cells = cellsOf(files.get('xl/worksheets/sheet1.xml') ?? '');
  expect(cells.map(({ place, type, text }) => [place, type, text])).toEqual([
    ['A1', 'inlineStr', 'id'],
    ['B1', 'inlineStr', 'at'],
    ['C1', 'inlineStr', 'total'],
    ['A2', 'inlineStr', '=1+1'],
    ['B2', undefined, String(46_349.25)],
    ['C2', undefined, '-2.5'],
    ['A3', 'inlineStr', '<&>"\r\n\t\ufffd é☃😀 '],
  ]);
  expect(cells.some(({ hasFormula }) => hasFormula)).toBe(false);
  // The style with `quotePrefix`: it stays a text when somebody edits it.
  expect(cells[3]?.style).toBe('2');
  expect(
    files
      .get('xl/styles.xml')
      ?.match(/<cellXfs[\s\S]*<\/cellXfs>/)?.[0]
      .split('<xf')[3],
  ).toContain('quotePrefix="1"');
});

it('asks readers to keep blanks where they would drop them', async () => {
  const texts = [' a', 'a ', 'a\nb', 'a  b', 'a b'];
  const files = await written(texts.map((text) => [text, null, null]));
  const [, ...kept] = [...(files.get('xl/worksheets/sheet1.xml') ?? '').matchAll(/r="A\d+"[^>]*><is><t(.*?)>/g)];
  const preserve = ' xml:space="preserve"';
  expect(kept.map(([, attributes]) => attributes)).toEqual([preserve, preserve, preserve, preserve, '']);
});

it.each([
  { rows: 4, bytes: Infinity },
  { rows: Infinity, bytes: 1 },
])('goes on with a sheet when one is full: %j', async (limits) => {
  const rows = Array.from({ length: 10 }, (_, number): ExportValue[] => [`o-${number}`, null, number]);
  const files = await written(rows, limits);
  const sheets = [...files].filter(([name]) => name.includes('/worksheets/')).map(([, xml]) => cellsOf(xml));
  expect(sheets.length).toBeGreaterThanOrEqual(4);
  const ids = sheets.flatMap((cells) => cells.filter(({ place }) => /^A(?!1$)/.test(place)).map(({ text }) => text));
  expect(ids).toEqual(rows.map(([id]) => id));
  expect(sheets.every(([first]) => first?.text === 'id')).toBe(true);
  expect(files.get('xl/workbook.xml')?.match(/<sheet /g)).toHaveLength(sheets.length);
});

it('cuts a text that is longer than a cell may be', async () => {
  const files = await written([['😀'.repeat(20_000), null, null]]);
  const [, , , cell] = cellsOf(files.get('xl/worksheets/sheet1.xml') ?? '');
  // Half of a character would be no text.
  expect(cell?.text).toBe('😀'.repeat(16_383));
});

it('fails as its rows fail', async () => {
  async function* broken(): AsyncGenerator<ExportValue[][]> {
    yield [['a', null, 1]];
    throw new Error('the database is gone');
  }
  const reading = async () => {
    for await (const piece of xlsxFile(['id', 'at', 'total'], ['text', 'time', 'number'], broken()))
      expect(piece).toBeDefined();
  };
  await expect(reading()).rejects.toThrow('the database is gone');
});
