import type { ListingImportReport } from '../listing-import.contract.js';
import type { ReadLine } from '../import-formats.js';

const MAX_ERRORS = 1_000;
const MALFORMED = 40000;
const INVALID_FIELD = 40001;

/** Counts every line of a file that is not blank, and keeps what is wrong with the first ones. */
export class ImportReport implements ListingImportReport {
  imported = 0;
  failed = 0;
  readonly errors: ListingImportReport['errors'] = [];
  ignored_columns?: string[];
  /** The header was counted, because no line behind it was. */
  #hasLoneHeader = false;

  ignored(columns: readonly string[]): void {
    if (columns.length > 0) this.ignored_columns = [...columns];
  }

  invalid(line: number, message: string): void {
    this.failed += 1;
    this.#note(line, INVALID_FIELD, message);
  }

  unread(read: Exclude<ReadLine, { value: unknown }>): void {
    if ('header' in read) return this.#unusable(read.line, read.header);
    if ('invalid' in read) return this.invalid(read.line, read.invalid);
    if ('unread' in read && this.#hasLoneHeader) this.#hasLoneHeader = false;
    else this.failed += 1;
    if ('error' in read) this.#note(read.line, MALFORMED, `the line ${read.error}`);
  }

  /** @param message completes "this file …" */
  unreadable(message: string): void {
    this.#unusable(1, `this file ${message}`);
  }

  /** A file of which nothing can be read has failed, even if no line follows. */
  #unusable(line: number, message: string): void {
    this.failed += 1;
    this.#hasLoneHeader = true;
    this.#note(line, MALFORMED, message);
  }

  #note(line: number, code: number, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ line, errors: [{ code, message }] });
  }
}
