import { randomBytes, randomFillSync } from 'node:crypto';

export abstract class Randomness {
  abstract bytes(count: number): Buffer;

  /** A number from 0 (inclusive) to 1 (exclusive). */
  abstract fraction(): number;
}

const POOL_BYTES = 4_096;

/** From the system's generator (`node:crypto`). */
export class SystemRandomness extends Randomness {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #used = POOL_BYTES;

  /** A purchase needs several times a few bytes, and a call of the generator costs as much for 12 bytes as for hundreds. */
  bytes(count: number): Buffer {
    if (count > POOL_BYTES / 2) return randomBytes(count);
    if (this.#used + count > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += count;
    const bytes = Buffer.from(this.#pool.subarray(from, this.#used));
    // They may become a key, which must not lie in memory twice.
    this.#pool.fill(0, from, this.#used);
    return bytes;
  }

  fraction(): number {
    return Math.random();
  }
}
