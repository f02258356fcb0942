import { isUtf8 } from 'node:buffer';

type LineEnd = '\n' | '\r\n' | '\r' | '';

/** A line of a text file with what ended it, or `error` if it is unreadable. Lines are counted from 1. */
export type TextLine = Readonly<{ line: number; text: string; end: LineEnd } | { line: number; error: string }>;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = '\uFEFF';

/** Splits UTF-8 at \n, \r\n and \r, however its bytes arrive. Buffers at most one line. */
export class LineSplitter {
  #line = 1;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  // Whether a newline that belongs to it follows is known with the next byte.
  #afterReturn = false;

  constructor(private readonly maxLineBytes: number) {}

  *split(chunk: Uint8Array): Generator<TextLine> {
    let [newline, returned] = [chunk.indexOf(NEWLINE), chunk.indexOf(RETURN)];
    for (let from = 0; from < chunk.length;) {
      if (this.#afterReturn) {
        const isPair = chunk[from] === NEWLINE;
        if (isPair) from += 1;
        yield this.#take(isPair ? '\r\n' : '\r');
        continue;
      }
      if (newline !== -1 && newline < from) newline = chunk.indexOf(NEWLINE, from);
      if (returned !== -1 && returned < from) returned = chunk.indexOf(RETURN, from);
      const isReturn = returned !== -1 && (newline === -1 || returned < newline);
      const end = isReturn ? returned : newline;
      this.#add(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      from = end + 1;
      if (isReturn) this.#afterReturn = true;
      else yield this.#take('\n');
    }
  }

  *end(): Generator<TextLine> {
    if (this.#afterReturn) yield this.#take('\r');
    else if (this.#bytes > 0) yield this.#take('');
  }

  #add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.maxLineBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(end: LineEnd): TextLine {
    const [line, length, bytes] = [this.#line, this.#bytes, Buffer.concat(this.#pieces)];
    this.#line += 1;
    this.#pieces = [];
    this.#bytes = 0;
    this.#afterReturn = false;
    if (length > this.maxLineBytes) return { line, error: `is longer than ${this.maxLineBytes} bytes` };
    if (!isUtf8(bytes)) return { line, error: 'is not UTF-8' };
    const text = bytes.toString('utf8');
    return { line, text: line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, end };
  }
}
