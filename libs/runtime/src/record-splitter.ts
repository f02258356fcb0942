import { isUtf8 } from 'node:buffer';

/** `line` is the number of its first line. `error` if the text is unreadable. */
export type TextRecord = Readonly<{ line: number; text: string } | { line: number; error: string }>;

export type SplitterOptions = Readonly<{
  /** For CSV: a record with an open quote continues on the next line. */
  quotes: boolean;
  maxRecordBytes: number;
}>;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = '\uFEFF';

/** Buffers at most one record. csv-parse would lose the rest of the chunk after a record that is too long. */
export class RecordSplitter {
  #line = 1;
  #startLine = 1;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #withinQuotes = false;

  constructor(private readonly options: SplitterOptions) {}

  *split(chunk: Uint8Array): Generator<TextRecord> {
    for (let from = 0; from < chunk.length;) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline === -1 ? chunk.length : newline + 1;
      this.#take(chunk.subarray(from, to));
      from = to;
      if (newline === -1) return;
      this.#line += 1;
      // A quote that is never closed costs at most one record of the maximum size, not the rest of the file.
      if (!this.#withinQuotes || this.#tooLong) yield* this.end();
    }
  }

  *end(): Generator<TextRecord> {
    const record = this.#record();
    this.#startLine = this.#line;
    this.#pieces = [];
    this.#bytes = 0;
    this.#withinQuotes = false;
    if (record) yield record;
  }

  get #tooLong(): boolean {
    return this.#bytes > this.options.maxRecordBytes;
  }

  #take(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#tooLong) {
      this.#pieces = [];
      return;
    }
    this.#pieces.push(piece);
    if (!this.options.quotes) return;
    for (let at = piece.indexOf(QUOTE); at !== -1; at = piece.indexOf(QUOTE, at + 1)) {
      this.#withinQuotes = !this.#withinQuotes;
    }
  }

  #record(): TextRecord | undefined {
    const line = this.#startLine;
    if (this.#tooLong) return { line, error: `is longer than ${this.options.maxRecordBytes} bytes` };
    const bytes = Buffer.concat(this.#pieces);
    if (!isUtf8(bytes)) return { line, error: 'is not UTF-8' };
    const decoded = bytes.toString('utf8').replace(/\r?\n$/, '');
    const text = line === 1 && decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
    return text.trim() === '' ? undefined : { line, text };
  }
}
