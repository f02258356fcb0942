import { Readable } from 'node:stream';
import type { TurnQueue } from '#base/turn-queue';

const SLICE_BYTES = 64 * 1024;
// Rendering a document takes about 0.1 ms. The event loop also sells tickets.
const SLICE_MS = 0.5;
const MOST_BYTES_OF_CHARACTER = 3;

/**
 * A long body to `pipe`. Each slice waits for a turn of the event loop, and is made only when the destination has taken the one before.
 * So all slices of an answer share one buffer. Buffers of their own would be garbage by the megabyte, and V8 stops the process to collect
 * its whole heap for every 32 MB of it.
 */
export class AnswerSlices extends Readable {
  readonly #parts: Iterator<string | Buffer>;
  readonly #turns: TurnQueue;
  readonly #slice = Buffer.allocUnsafeSlow(SLICE_BYTES);
  /** What did not fit into the slice before. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(parts: Iterable<string | Buffer>, turns: TurnQueue) {
    super();
    this.#parts = parts[Symbol.iterator]();
    this.#turns = turns;
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, { end = true }: { end?: boolean } = {}): T {
    if (end) this.once('end', () => destination.end());
    this.#turns.add(() => this.#writeSlice(destination));
    return destination;
  }

  override _read(): void {
    // Only `pipe` moves data.
  }

  #writeSlice(destination: NodeJS.WritableStream): void {
    if (this.destroyed) return;
    let filled: number;
    try {
      filled = this.#fill();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (filled > 0) {
      destination.write(this.#slice.subarray(0, filled), (error) => {
        if (!error) this.#turns.add(() => this.#writeSlice(destination));
      });
      return;
    }
    this.push(null);
    this.resume();
  }

  /** @returns how many bytes of the slice are used; 0 at the end */
  #fill(): number {
    const until = performance.now() + SLICE_MS;
    let filled = 0;
    for (;;) {
      const copied = this.#rest.copy(this.#slice, filled);
      filled += copied;
      this.#rest = this.#rest.subarray(copied);
      if (filled === SLICE_BYTES || (filled > 0 && performance.now() >= until)) return filled;
      const { done, value } = this.#parts.next();
      if (done) return filled;
      const fits = value.length * MOST_BYTES_OF_CHARACTER <= SLICE_BYTES - filled;
      if (typeof value === 'string' && fits) filled += this.#slice.write(value, filled);
      else this.#rest = typeof value === 'string' ? Buffer.from(value) : value;
    }
  }
}
