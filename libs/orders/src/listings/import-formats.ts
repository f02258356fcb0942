import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseJson } from 'secure-json-parse';
import type { ListingLine } from '#contracts/backoffice/listing';
import type { ParsedRecord, RecordText } from '#runtime/json-lines-reader';

export type ImportFormat = 'csv' | 'jsonl';

/** An empty cell means that the field is missing, except for texts. */
const CELLS: Readonly<Record<keyof ListingLine, (cell: string) => unknown>> = {
  listing_id: asText,
  event_id: asText,
  section: asText,
  row: asText,
  seats: asJson,
  notes: asText,
  quantity: asNumber,
  split_rule: (cell) => (cell.startsWith('[') ? asJson(cell) : cell),
  price: asNumber,
  fees: asNumber,
  wholesale_price: asNumber,
  tax_rate: asNumber,
  tax_rates: asJson,
  delivery_methods: asJson,
  confirmation: (cell) => cell || undefined,
  confirm_within_minutes: asNumber,
  in_hand_at: (cell) => cell || undefined,
  ship_within_minutes: asNumber,
  market_specific_fields: asJson,
  seller: (cell) => cell || undefined,
};

type Column = keyof ListingLine;

/** The header is invalid, so no record of the file can be read. */
export class HeaderError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Reads one file. Its first record is the header. Lists and objects are JSON texts in their cells. */
export class CsvReader {
  #columns: readonly Column[] | undefined;

  read(records: readonly RecordText[]): ParsedRecord[] {
    const [first, ...rest] = records;
    if (!first) return [];
    if (this.#columns) return this.#readRows(records, this.#columns);
    this.#columns = columnsOf(first);
    return this.#readRows(rest, this.#columns);
  }

  #readRows(records: readonly RecordText[], columns: readonly Column[]): ParsedRecord[] {
    // One call for all records takes a fifth of the time. A malformed record breaks the whole call, so then each is parsed alone.
    const rows = rowsOf(records.map(({ text }) => text).join('\n'));
    const matched = rows?.length === records.length;
    return records.map(({ line, text }, index) => {
      const cells = matched ? rows[index] : rowsOf(text)?.[0];
      if (!cells) return { line, error: 'is not CSV: a quote is out of place' };
      if (cells.length !== columns.length) {
        return { line, error: `has ${cells.length} cells under a header of ${columns.length}` };
      }
      return { line, value: valueOf(columns, cells) };
    });
  }
}

function columnsOf({ line, text }: RecordText): readonly Column[] {
  const [names = []] = rowsOf(text) ?? [];
  const columns = names.map((name) => name.trim());
  const unknown = columns.findIndex((name) => !Object.hasOwn(CELLS, name));
  if (unknown !== -1) throw new HeaderError(line, `column ${unknown + 1} of the header is not a field of a listing`);
  if (new Set(columns).size !== columns.length) throw new HeaderError(line, 'the header names a field twice');
  if (!columns.includes('listing_id')) throw new HeaderError(line, 'the header does not name listing_id');
  return columns as Column[];
}

function valueOf(columns: readonly Column[], cells: readonly string[]): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const field = CELLS[column](cells[index] ?? '');
    if (field !== undefined) value[column] = field;
  }
  return value;
}

function rowsOf(text: string): string[][] | undefined {
  try {
    return parseCsv(text, { record_delimiter: '\n', relax_column_count: true });
  } catch {
    return undefined;
  }
}

function asText(cell: string): string {
  return cell;
}

// An invalid number or JSON stays a text, so that the schema can name the field.
function asNumber(cell: string): unknown {
  if (cell === '') return undefined;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(cell.trim()) ? Number(cell) : cell;
}

function asJson(cell: string): unknown {
  if (cell === '') return undefined;
  try {
    return parseJson(cell) as unknown;
  } catch {
    return cell;
  }
}
