const FIRST_BYTES = 64 * 1024;
const MOST_BYTES_OF_A_CODE_UNIT = 3;

/**
 * Collects texts as UTF-8. A single string of all takes several times as long, because it is copied more than once, and one text beyond
 * Latin-1 doubles its size.
 */
export class Utf8Text {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #end = 0;

  add(text: string): void {
    const most = this.#end + text.length * MOST_BYTES_OF_A_CODE_UNIT;
    if (most > this.#buffer.length) this.#grow(most);
    this.#end += this.#buffer.write(text, this.#end);
  }

  /** In bytes. */
  get length(): number {
    return this.#end;
  }

  /** All of it, without a copy. Valid until something is added or taken. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  /** What was added since the last time. */
  take(): Buffer {
    const taken = Buffer.from(this.#buffer.subarray(0, this.#end));
    this.#end = 0;
    return taken;
  }

  #grow(atLeast: number): void {
    const larger = Buffer.allocUnsafe(Math.max(atLeast, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
