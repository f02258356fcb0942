import { Randomness } from './randomness.js';

/** Gives the same numbers for the same seed (mulberry32, by Tommy Ettinger). Predictable, so not for secrets. */
export class SeededRandomness extends Randomness {
  constructor(private state: number) {
    super();
  }

  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(from.length)]!;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.integer(256)));
  }
}
