import { Clock } from '#base/clock';
import { Ids, type IdPrefix } from '#base/ids';
import { Randomness } from '#base/randomness';

/** A clock that only a test moves. */
export class FixedClock extends Clock {
  #now: number;

  constructor(iso = '2026-11-21T12:00:00.000Z') {
    super();
    this.#now = Date.parse(iso);
  }

  now(): number {
    return this.#now;
  }

  override monotonic(): number {
    return this.#now;
  }

  set(iso: string): void {
    this.#now = Date.parse(iso);
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** Ids that count: the parts after the prefix are 1, 2, 3 … in 32 hexadecimal digits. */
export class CountingIds extends Ids {
  #count = 0;

  next<P extends IdPrefix>(prefix: P): `${P}_${string}` {
    this.#count += 1;
    return `${prefix}_${this.#count.toString(16).padStart(32, '0')}`;
  }
}

/** Returns the given fractions in turn, again and again. Its bytes count up. */
export class ScriptedRandomness extends Randomness {
  readonly #fractions: readonly number[];
  #taken = 0;
  #byte = 0;

  constructor(...fractions: number[]) {
    super();
    this.#fractions = fractions.length > 0 ? fractions : [0.5];
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.#byte++ % 256));
  }

  fraction(): number {
    const next = this.#fractions[this.#taken % this.#fractions.length] ?? 0.5;
    this.#taken += 1;
    return next;
  }
}
