import { Utf8Text } from '#base/utf8-text';
import { stringifyJson } from '#base/json';

/** Objects and arrays are for json columns. Strings are in PostgreSQL's text format (`\x…` for bytea). */
export type CopiedRow = Readonly<Record<string, string | number | boolean | object | null>>;

// The quote is a character that text rarely contains and JSON never does, so JSON needs no escaping.
const QUOTE = '\u0001';
const NULL = '\\N';
export const COPY_FORMAT = `format csv, delimiter E'\\t', quote E'\\x01', null '${NULL}', encoding 'utf8'`;
// Before PostgreSQL 18, `\.` alone ends the copy.
const TO_QUOTE = new RegExp(`[\\t\\n\\r${QUOTE}]|^\\\\[N.]$|^$`);

/** Rows of one table as COPY reads them, in groups of which some can be left out. */
export class CopyText {
  readonly #text = new Utf8Text();
  readonly #ends: number[] = [];

  /** Neither is escaped: never pass user input. */
  constructor(
    readonly table: string,
    readonly columns: readonly string[],
  ) {}

  addGroup(rows: readonly CopiedRow[]): void {
    // One by one: in a single string, one non-ASCII row would double the size of all.
    for (const row of rows) this.#text.add(this.#line(row));
    this.#ends.push(this.#text.length);
  }

  /** A group of rows whose columns have tabs between them and need no quotes. Each ends with a line feed. */
  addLines(lines: string): void {
    this.#text.add(lines);
    this.#ends.push(this.#text.length);
  }

  /** The text of these groups, by their numbers from 0. */
  of(groups: readonly number[]): Buffer {
    const all = this.#text.bytes;
    if (groups.length === this.#ends.length) return all;
    return Buffer.concat(groups.map((group) => all.subarray(this.#ends[group - 1] ?? 0, this.#ends[group])));
  }

  #line(row: CopiedRow): string {
    let line = '';
    for (const column of this.columns) line += `${line === '' ? '' : '\t'}${field(row[column])}`;
    return `${line}\n`;
  }
}

function field(value: CopiedRow[string] | undefined): string | number | boolean {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'object') return stringifyJson(value);
  if (typeof value !== 'string' || !TO_QUOTE.test(value)) return value;
  return `${QUOTE}${value.replaceAll(QUOTE, QUOTE + QUOTE)}${QUOTE}`;
}
