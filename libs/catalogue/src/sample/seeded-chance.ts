/** Looks like chance and is the same for the same seed. */
export class SeededChance {
  constructor(private state: number) {}

  /** From 0 to below 1. */
  fraction(): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From 0 to below `limit`. */
  integer(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(from.length)]!;
  }
}
