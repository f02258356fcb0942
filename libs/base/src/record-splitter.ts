import { LineSplitter, type TextLine } from './runtime/line-splitter.js';

/** `line` is its number. `error` if the text is unreadable. */
export type TextRecord = Readonly<{ line: number; text: string } | { line: number; error: string }>;

/** The lines of a file that are not blank. Buffers at most one. */
export class RecordSplitter {
  readonly #lines: LineSplitter;

  constructor({ maxRecordBytes }: Readonly<{ maxRecordBytes: number }>) {
    this.#lines = new LineSplitter(maxRecordBytes);
  }

  *split(chunk: Uint8Array): Generator<TextRecord> {
    for (const line of this.#lines.split(chunk)) yield* recordOf(line);
  }

  *end(): Generator<TextRecord> {
    for (const line of this.#lines.end()) yield* recordOf(line);
  }
}

function* recordOf(line: TextLine): Generator<TextRecord> {
  if ('error' in line) yield line;
  else if (line.text.trim() !== '') yield { line: line.line, text: line.text };
}
