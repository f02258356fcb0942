import { ListingDefaults } from './listing.contract.js';
import { type ColumnMap, IMPORT_FIELDS, type ImportField } from './listing-import.contract.js';
import { describeIssues } from '#web/issues.contract';
import { type CsvRecord, CsvRecords } from '#base/csv-records';
import { JsonLinesReader, type ParsedRecord } from '#base/json-lines-reader';
import { RecordSplitter, type TextRecord } from '#base/record-splitter';
import { CELLS } from './import/import-cells.js';
import { type Columns, columnsOf } from './import/import-columns.js';

/** `tsv`: tabs, if the header has any. */
export type ImportFormat = 'csv' | 'tsv' | 'jsonl';

/** What the lines of a file lack. */
export type Defaults = Readonly<Record<string, unknown>>;

/** A line before validation, or what is wrong with it. Behind an unusable header nothing is known but that it is there. */
export type ReadLine =
  | ParsedRecord
  | Readonly<{ line: number; invalid: string } | { line: number; unread: true } | { line: number; header: string }>;

export type LineReader = Readonly<{
  split: (chunk: Uint8Array) => Iterable<ReadLine>;
  end: () => Iterable<ReadLine>;
  /** Known once the header was read. Undefined for JSON lines. */
  columns?: Columns | undefined;
}>;

type Options = Readonly<{ maxRecordBytes: number; map: ColumnMap; defaults: Defaults }>;

export function lineReader(format: ImportFormat, options: Options): LineReader {
  return format === 'jsonl' ? new JsonReader(options) : new CsvReader(format, options);
}

class JsonReader implements LineReader {
  readonly #records: RecordSplitter;
  readonly #reader = new JsonLinesReader();

  constructor(private readonly options: Options) {
    this.#records = new RecordSplitter(options);
  }

  *split(chunk: Uint8Array): Generator<ReadLine> {
    for (const record of this.#records.split(chunk)) yield* this.#read(record);
  }

  *end(): Generator<ReadLine> {
    for (const record of this.#records.end()) yield* this.#read(record);
  }

  #read(record: TextRecord): readonly ReadLine[] {
    if ('error' in record) return [record];
    return this.#reader.read([record]).map((read) => {
      if ('error' in read || !isObject(read.value)) return read;
      const given = Object.entries(read.value).filter(([, field]) => field !== null);
      return { line: read.line, value: { ...this.options.defaults, ...Object.fromEntries(given) } };
    });
  }
}

const BEGIN_OF_JSON = /^\uFEFF?\s*\{/;
const LOOKED_AT_BYTES = 100;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads one file. Its first record is the header. Lists and objects are JSON texts in their cells. */
class CsvReader implements LineReader {
  readonly #records: CsvRecords;
  readonly #given: ReadonlySet<string>;
  columns: Columns | undefined;
  #state: 'usable' | 'unusable' | undefined;
  #isJson: boolean | undefined;

  constructor(
    format: ImportFormat,
    private readonly options: Options,
  ) {
    const preferredSeparator = format === 'tsv' ? '\t' : undefined;
    this.#records = new CsvRecords({ maxRecordBytes: options.maxRecordBytes, preferredSeparator });
    this.#given = new Set(Object.keys(options.defaults));
  }

  *split(chunk: Uint8Array): Generator<ReadLine> {
    this.#isJson ??= BEGIN_OF_JSON.test(Buffer.from(chunk.subarray(0, LOOKED_AT_BYTES)).toString());
    for (const record of this.#records.split(chunk)) yield* this.#read(record);
  }

  *end(): Generator<ReadLine> {
    for (const record of this.#records.end()) yield* this.#read(record);
  }

  *#read(record: CsvRecord): Generator<ReadLine> {
    const { line } = record;
    if (this.#state === undefined) yield* this.#readHeader(record);
    else if (this.#state === 'unusable' || !this.columns) yield { line, unread: true };
    else yield 'error' in record ? record : this.#lineOf(this.columns, record);
  }

  *#readHeader(record: CsvRecord): Generator<ReadLine> {
    if (!this.#isJson && 'cells' in record) {
      this.columns = columnsOf(record.cells, this.options.map, this.#given);
    }
    const error = 'error' in record ? `the header ${record.error}` : this.columns?.fault;
    const header = this.#isJson ? 'the file is JSON lines, not CSV' : error;
    this.#state = header === undefined ? 'usable' : 'unusable';
    if (header !== undefined) yield { line: record.line, header };
  }

  /** Columns that are ignored may be missing, and empty cells may follow, as spreadsheets write them. */
  #lineOf({ fields }: Columns, { line, cells }: Extract<CsvRecord, { cells: unknown }>): ReadLine {
    const needed = fields.findLastIndex((field) => field !== undefined) + 1;
    if (cells.length < needed || cells.slice(fields.length).some((cell) => cell.trim() !== '')) {
      return { line, error: `has ${cells.length} cells under a header of ${fields.length}` };
    }
    const value: Record<string, unknown> = { ...this.options.defaults };
    for (const [index, field] of fields.entries()) {
      const cell = cells[index] ?? '';
      if (field === undefined) continue;
      if (cell.trim() !== '') value[field] = CELLS[field](cell);
      else if (EMPTY_TEXTS.has(field)) value[field] ??= '';
    }
    return { line, value };
  }
}

/** An empty cell means that the field is missing, except for these. */
const EMPTY_TEXTS: ReadonlySet<ImportField> = new Set(['listing_id', 'event_id', 'section', 'row', 'notes']);

const isField = (name: string): name is ImportField => IMPORT_FIELDS.some((field) => field === name);

/**
 * Reads defaults: JSON objects, and `field=value` with values as in a cell. The later one counts.
 * @throws DefaultsError that names the field
 */
export function readDefaults(texts: readonly string[]): Defaults {
  const given: Record<string, unknown> = {};
  for (const text of texts) {
    const object: unknown = text.trimStart().startsWith('{') ? CELLS.market_specific_fields(text) : pairOf(text);
    if (typeof object !== 'object') throw new DefaultsError('defaults: is not JSON');
    Object.assign(given, object);
  }
  const { error } = ListingDefaults.safeParse(given);
  if (error) throw new DefaultsError(`defaults: ${describeIssues(error.issues)}`);
  return given;
}

export class DefaultsError extends Error {}

function pairOf(text: string): object {
  const [name = '', ...value] = text.split('=');
  if (value.length === 0) throw new DefaultsError('defaults: must be a JSON object, or field=value');
  const field = name.trim();
  return { [field]: isField(field) ? CELLS[field](value.join('=')) : value.join('=') };
}
