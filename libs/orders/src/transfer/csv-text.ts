import type { ExportValue } from './export-columns.js';

// A spreadsheet takes a cell that begins so for a formula, also in the wide forms of East Asian keyboards and after blanks.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/** One line of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvLine(values: readonly ExportValue[]): string {
  let line = '';
  for (const [index, value] of values.entries()) line += `${index === 0 ? '' : ','}${cellOf(value)}`;
  return `${line}\r\n`;
}

/** Whether a spreadsheet would run the text. */
export function looksLikeFormula(value: string): boolean {
  return FORMULA.test(value);
}

function cellOf(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = looksLikeFormula(value) ? `'${value}` : value;
  return TO_QUOTE.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
