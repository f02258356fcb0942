import type { ExportValue } from './export-columns.js';

// A spreadsheet takes a cell that begins so for a formula, also in the wide forms of East Asian keyboards and after blanks.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
const TO_QUOTE = /[",\r\n]|^\s|\s$/;
// What one of the two above may hold for. Most texts are neither, and one test costs less than two.
const SPECIAL = /^[\s=+\-@＝＋－＠]|[",\r\n]|\s$/;

/** Excel knows by it that a CSV file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** One line of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvLine(values: readonly ExportValue[]): string {
  let line = '';
  // An iterator of entries would take as long as the texts.
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) line += ',';
    line += cellOf(values[index] ?? null);
  }
  return `${line}\r\n`;
}

/** Whether a spreadsheet would run the text. */
export function looksLikeFormula(value: string): boolean {
  return FORMULA.test(value);
}

function cellOf(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (!SPECIAL.test(value)) return value;
  const harmless = looksLikeFormula(value) ? `'${value}` : value;
  return TO_QUOTE.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
