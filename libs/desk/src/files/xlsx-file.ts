import { Readable } from 'node:stream';
import yazl from 'yazl';
import { looksLikeFormula } from './csv-text.js';
import type { ExportKind, ExportValue } from './export-columns.js';
import { Utf8Text } from '#base/utf8-text';

/** The limits of a sheet in the programs that open it, and of one file in a zip archive without extensions. */
const MOST_ROWS = 1_048_576;
const MOST_BYTES = 3_500_000_000;
const LONGEST_TEXT = 32_767;

export type SheetLimits = Readonly<{ rows: number; bytes: number }>;

/** Places in `cellXfs` of the styles below. `quoted` is what an apostrophe before a text does: it stays a text when it is edited. */
const STYLE = { plain: 0, time: 1, quoted: 2, heading: 3 } as const;

// Level 1 takes a third of the time of level 6, for files that are a fifth larger.
const COMPRESSION = { compressionLevel: 1 };

type Page = readonly (readonly ExportValue[])[];

/**
 * An Excel workbook (ECMA-376), piece by piece. Texts are texts, so none of them runs as a formula. Rows beyond the limit of a sheet are on
 * the next one. Not exceljs: it does not wait for the file that it writes, so a million rows would be in memory.
 */
export async function* xlsxFile(
  names: readonly string[],
  kinds: readonly ExportKind[],
  pages: AsyncIterable<Page>,
  limits: SheetLimits = { rows: MOST_ROWS, bytes: MOST_BYTES },
): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const source = pages[Symbol.asyncIterator]();
  const columns = kinds.map((kind, index) => ({ kind, letter: letterOf(index) }));
  let sheets = 0;
  let left: Page = [];
  let isAtEnd = false;

  const addSheet = () => {
    sheets += 1;
    const content = Readable.from(sheet(), { objectMode: false });
    content.on('error', (error) => output.destroy(error));
    zip.addReadStream(content, `xl/worksheets/sheet${sheets}.xml`, COMPRESSION);
  };
  async function* sheet(): AsyncGenerator<Buffer> {
    const xml = new Utf8Text();
    xml.add(`${SHEET_BEGIN}<cols><col min="1" max="${columns.length}" width="20" customWidth="1"/></cols><sheetData>`);
    xml.add(rowOf(1, names.map((name, index) => textCell(`${columns[index]?.letter}1`, name, STYLE.heading)).join('')));
    let [row, bytes] = [1, 0];
    while (!isAtEnd && row < limits.rows && bytes < limits.bytes) {
      if (left.length === 0) {
        const next = await source.next();
        if (next.done === true) isAtEnd = true;
        else left = next.value;
        continue;
      }
      const fitting = left.slice(0, limits.rows - row);
      left = left.slice(fitting.length);
      for (const values of fitting) xml.add(rowOf((row += 1), cellsOf(row, values, columns)));
      const piece = xml.take();
      bytes += piece.length;
      yield piece;
    }
    xml.add('</sheetData></worksheet>');
    yield xml.take();
    if (isAtEnd) finish();
    else addSheet();
  }
  const finish = () => {
    for (const [path, xml] of partsOf(sheets)) zip.addBuffer(Buffer.from(xml), path);
    zip.end();
  };

  try {
    addSheet();
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    output.destroy();
    await source.return?.();
  }
}

type Column = Readonly<{ kind: ExportKind; letter: string }>;

function cellsOf(row: number, values: readonly ExportValue[], columns: readonly Column[]): string {
  let cells = '';
  // An iterator of entries would take as long as the texts.
  for (let index = 0; index < columns.length; index += 1) {
    const { kind, letter } = columns[index]!;
    const value = values[index] ?? null;
    if (value === null) continue;
    const place = `${letter}${row}`;
    if (typeof value === 'number') cells += `<c r="${place}"><v>${value}</v></c>`;
    else if (kind === 'time') cells += `<c r="${place}" s="${STYLE.time}"><v>${serialOf(value)}</v></c>`;
    else cells += textCell(place, value, looksLikeFormula(value) ? STYLE.quoted : STYLE.plain);
  }
  return cells;
}

function rowOf(row: number, cells: string): string {
  return `<row r="${row}">${cells}</row>`;
}

function textCell(place: string, text: string, style: number): string {
  const short = text.length > LONGEST_TEXT ? cut(text) : text;
  // These are most of the file, so nothing stands there that a reader assumes anyway.
  const styled = style === STYLE.plain ? '' : ` s="${style}"`;
  const spaced = SPACED.test(short) ? ' xml:space="preserve"' : '';
  return `<c r="${place}"${styled} t="inlineStr"><is><t${spaced}>${xmlOf(short)}</t></is></c>`;
}

// A reader may drop these elsewhere than between words.
const SPACED = /^\s|\s$|[\t\n\r]|\s\s/;

/** Without half of a surrogate pair at the end. */
function cut(text: string): string {
  return text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '');
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
// XML 1.0 has no way to write these. A reader would refuse the whole file.
const NO_XML = /[\p{Cc}\ufffe\uffff](?<![\t\n\r\x7f-\x9f])/gu;
const SPECIAL = /[&<>\r]|[\p{Cc}\ufffe\uffff](?<![\t\n\x7f-\x9f])/u;

function xmlOf(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(NO_XML, '\ufffd').replace(/[&<>\r]/g, (character) => MARKUP[character] ?? '');
}

const DAY_MS = 86_400_000;
// Spreadsheets count days from the end of 1899, with a leap day that 1900 did not have.
const DAYS_TO_1970 = 25_569;

function serialOf(iso: string): number {
  return Date.parse(iso) / DAY_MS + DAYS_TO_1970;
}

/** A, B … Z, AA, AB … */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// The heading stays in view.
const SHEET_BEGIN = `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;

const STYLES = `${XML}<styleSheet ${MAIN}>
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="4">
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
</cellXfs></styleSheet>`;

/** The parts of the workbook besides its sheets. */
function partsOf(sheets: number): readonly (readonly [path: string, xml: string])[] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (all: readonly string[]) =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
  const part = (name: string, type: string) => `<Override PartName="/xl/${name}" ContentType="${TYPE}.${type}+xml"/>`;
  const named = numbers.map((n) => `<sheet name="Orders${n > 1 ? ` ${n}` : ''}" sheetId="${n}" r:id="rId${n}"/>`);
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
${part('workbook.xml', 'sheet.main')}${part('styles.xml', 'styles')}
${numbers.map((n) => part(`worksheets/sheet${n}.xml`, 'worksheet')).join('')}</Types>`,
    ],
    ['_rels/.rels', relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')])],
    ['xl/workbook.xml', `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${named.join('')}</sheets></workbook>`],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...numbers.map((n) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`)),
        relation(`rId${sheets + 1}`, 'styles', 'styles.xml'),
      ]),
    ],
    ['xl/styles.xml', STYLES],
  ];
}
