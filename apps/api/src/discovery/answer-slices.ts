import { Readable } from 'node:stream';
import type { TurnQueue } from '#runtime/turn-queue';

const SLICE_BYTES = 64 * 1024;
// Rendering a document takes about 0.1 ms. The event loop also sells tickets.
const SLICE_MS = 0.5;

/**
 * A long body as a stream. Each slice waits for a turn of the event loop, and is made only when the client has taken the ones
 * before. `onSlice` receives the bytes of each.
 */
export class AnswerSlices extends Readable {
  readonly #parts: Iterator<string | Buffer>;
  readonly #turns: TurnQueue;

  constructor(parts: Iterable<string | Buffer>, turns: TurnQueue) {
    super({ highWaterMark: SLICE_BYTES });
    this.#parts = parts[Symbol.iterator]();
    this.#turns = turns;
  }

  override _read(): void {
    this.#turns.add(() => {
      if (this.destroyed) return;
      try {
        this.#pushSlice();
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  #pushSlice(): void {
    const slice: Buffer[] = [];
    const until = performance.now() + SLICE_MS;
    for (let size = 0; size < SLICE_BYTES && (size === 0 || performance.now() < until);) {
      const { done, value } = this.#parts.next();
      if (done) {
        if (slice.length > 0) this.push(Buffer.concat(slice));
        this.push(null);
        return;
      }
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      slice.push(bytes);
      size += bytes.length;
    }
    this.push(Buffer.concat(slice));
  }
}
