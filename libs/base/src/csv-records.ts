import { LineSplitter, type TextLine } from './runtime/line-splitter.js';

/** The first record is the header. `line` is the record's first line, `error` what is wrong with it: "the line …". */
export type CsvRecord = Readonly<{ line: number; cells: readonly string[] } | { line: number; error: string }>;

export type CsvOptions = Readonly<{
  maxRecordBytes: number;
  /** Taken if the header has it, whatever else the header has more often. */
  preferredSeparator?: string | undefined;
}>;

type GoodLine = Extract<TextLine, { text: string }>;
/** A record whose last cell is within quotes, which may go on in the next line. */
type OpenRecord = { lines: GoodLine[]; length: number; cells: string[]; cell: string | undefined };

const SEPARATORS = [',', ';', '\t', '|'];
// Excel obeys this line, and writes it for some languages.
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;

/**
 * Reads CSV as spreadsheets write it: commas, semicolons, tabs or bars between the cells, any line ends. A quote opens a cell only where
 * the cell begins. A line with a quote that is out of place, or never closed, costs itself alone: csv-parse cannot go on behind it.
 * Buffers at most one record. Blank lines, and those with empty cells only, are left out.
 */
export class CsvRecords {
  readonly #lines: LineSplitter;
  #separator: string | undefined;
  #width: number | undefined;
  #open: OpenRecord | undefined;

  constructor(private readonly options: CsvOptions) {
    this.#lines = new LineSplitter(options.maxRecordBytes);
  }

  *split(chunk: Uint8Array): Generator<CsvRecord> {
    for (const line of this.#lines.split(chunk)) yield* this.#read([line]);
  }

  *end(): Generator<CsvRecord> {
    for (const line of this.#lines.end()) yield* this.#read([line]);
    while (this.#open) yield* this.#read(yield* this.#giveUp(this.#open, NEVER_CLOSED));
  }

  *#read(lines: readonly TextLine[]): Generator<CsvRecord> {
    const waiting = [...lines].reverse();
    for (let line = waiting.pop(); line; line = waiting.pop()) {
      const again = yield* this.#step(line);
      for (const one of again.reverse()) waiting.push(one);
    }
  }

  /** Returns lines that are to be read again, because they do not belong to the open record. */
  *#step(line: TextLine): Generator<CsvRecord, TextLine[]> {
    if ('error' in line) {
      if (this.#open) return [...(yield* this.#giveUp(this.#open, NEVER_CLOSED)), line];
      yield line;
      return [];
    }
    if (!this.#open && (line.text.trim() === '' || this.#isSeparatorLine(line))) return [];
    const separator = (this.#separator ??= this.#separatorOf(line.text));
    if (!this.#open && !line.text.includes('"')) {
      yield* this.#finish(line.line, line.text.split(separator));
      return [];
    }
    const record = (this.#open ??= { lines: [], length: 0, cells: [], cell: undefined });
    record.lines.push(line);
    record.length += line.text.length;
    const state = scan(record, line.text, separator);
    if (state === 'broken') return yield* this.#giveUp(record, MISPLACED);
    if (state === 'open') {
      record.cell += line.end;
      return record.length > this.options.maxRecordBytes ? yield* this.#giveUp(record, NEVER_CLOSED) : [];
    }
    // The quote was rather meant as one than as the begin of a cell that has a line end.
    if (record.lines.length > 1 && record.cells.length !== (this.#width ?? record.cells.length))
      return yield* this.#giveUp(record, NEVER_CLOSED);
    this.#open = undefined;
    yield* this.#finish(record.lines[0]?.line ?? line.line, record.cells);
    return [];
  }

  *#finish(line: number, cells: string[]): Generator<CsvRecord> {
    if (cells.every((cell) => cell.trim() === '')) return;
    this.#width ??= cells.length;
    yield { line, cells };
  }

  *#giveUp({ lines: [first, ...others] }: OpenRecord, error: string): Generator<CsvRecord, TextLine[]> {
    this.#open = undefined;
    yield { line: first?.line ?? 1, error };
    return others;
  }

  #isSeparatorLine({ text }: GoodLine): boolean {
    if (this.#separator !== undefined) return false;
    this.#separator = SEPARATOR_LINE.exec(text)?.[1];
    return this.#separator !== undefined;
  }

  #separatorOf(header: string): string {
    const { preferredSeparator: preferred } = this.options;
    const outside = header.replace(/"(?:[^"]|"")*"/g, '');
    if (preferred !== undefined && outside.includes(preferred)) return preferred;
    const count = (separator: string) => outside.split(separator).length;
    return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
  }
}

const MISPLACED = 'is not CSV: a quote is out of place';
const NEVER_CLOSED = 'is not CSV: a quote is opened and never closed';

/** Adds the cells of one more line to the record. */
function scan(record: OpenRecord, text: string, separator: string): 'complete' | 'open' | 'broken' {
  let at = 0;
  for (;;) {
    if (record.cell === undefined) {
      const quote = quoteAt(text, at, separator);
      if (quote !== -1) {
        record.cell = '';
        at = quote + 1;
        continue;
      }
      const end = text.indexOf(separator, at);
      record.cells.push(text.slice(at, end === -1 ? text.length : end));
      if (end === -1) return 'complete';
      at = end + 1;
      continue;
    }
    const quote = text.indexOf('"', at);
    record.cell += text.slice(at, quote === -1 ? text.length : quote);
    if (quote === -1) return 'open';
    if (text[quote + 1] === '"') {
      record.cell += '"';
      at = quote + 2;
      continue;
    }
    at = afterBlanks(text, quote + 1);
    if (at < text.length && text[at] !== separator) return 'broken';
    record.cells.push(record.cell);
    record.cell = undefined;
    if (at === text.length) return 'complete';
    at += 1;
  }
}

/** Where a quote opens the cell; -1 if none does. After blanks it does so only if the whole cell is quoted: `, "a, b",`. */
function quoteAt(text: string, cell: number, separator: string): number {
  if (text[cell] === '"') return cell;
  const begin = afterBlanks(text, cell);
  if (begin === cell || text[begin] !== '"') return -1;
  let close = text.indexOf('"', begin + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const end = afterBlanks(text, close + 1);
  return close !== -1 && (end === text.length || text[end] === separator) ? begin : -1;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}
