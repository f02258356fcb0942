import { randomBytes } from 'node:crypto';

/** The source of randomness, for keys and for the jitter of retry schedules. Injected, so that a test can script it. */
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
