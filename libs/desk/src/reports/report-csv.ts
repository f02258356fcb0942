import { stringify } from 'csv-stringify/sync';

type Row = Readonly<Record<string, string | number | null>>;

/** A table with a header line (RFC 4180). A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function reportCsv(columns: readonly string[], rows: readonly Row[], bom: boolean): string {
  return stringify([...rows], {
    bom,
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: 'windows',
  });
}
