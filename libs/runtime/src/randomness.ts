import { randomBytes } from 'node:crypto';

export abstract class Randomness {
  abstract bytes(count: number): Buffer;

  /** A number from 0 (inclusive) to 1 (exclusive). */
  abstract fraction(): number;
}

export class SystemRandomness extends Randomness {
  bytes(count: number): Buffer {
    return randomBytes(count);
  }

  fraction(): number {
    return Math.random();
  }
}
