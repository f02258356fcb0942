import type { Clock } from './clock.js';
import { withTimeout } from './with-timeout.js';

/** A copy is read again once it is this old and somebody asks for it. */
export const REFRESH_AFTER_MS = 2_000;

/** Up to this age nobody waits for the reading: with the time it takes, a change is seen everywhere within 5 s. */
export const WAIT_AFTER_MS = 4_000;

/** How long the last copy serves while the database does not answer. */
export const USABLE_FOR_MS = 60_000;

/** Between two readings, however many want one: what strangers send must not become load on the database. */
export const READ_EVERY_MS = 1_000;

// A server that is cut off answers neither yes nor no.
const ANSWER_WITHIN_MS = 1_000;

/**
 * A cache, in this process's memory, of one small value that another process may change (stale-while-revalidate and
 * stale-if-error, as in RFC 5861). It reads nothing while nobody asks, so the first question after a pause waits.
 */
export class RevalidatingCache<T> {
  #copy: Readonly<{ value: T; readAt: number }> | undefined;
  #reading: Promise<boolean> | undefined;
  #lastTry: number | undefined;
  #failure: unknown;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly clock: Clock,
  ) {}

  /** Throws when there is no copy, or one older than `USABLE_FOR_MS`, and none can be had. */
  async get(): Promise<T> {
    const age = this.#since(this.#copy?.readAt);
    if (age >= REFRESH_AFTER_MS) {
      const reading = this.refresh();
      if (age >= WAIT_AFTER_MS) await reading;
    }
    if (this.#copy && this.#since(this.#copy.readAt) < USABLE_FOR_MS) return this.#copy.value;
    throw new Error('no copy is fresh enough and none can be read', { cause: this.#failure });
  }

  /** Reads now, or joins who is reading, unless the last reading is less than `READ_EVERY_MS` ago. Whether it did. */
  async refresh(): Promise<boolean> {
    if (!this.#reading) {
      if (this.#since(this.#lastTry) < READ_EVERY_MS) return false;
      this.#reading = this.#attempt().finally(() => {
        this.#lastTry = this.clock.now();
        this.#reading = undefined;
      });
    }
    return this.#reading;
  }

  /** For a change made by this very process, which must see it at once. */
  async refreshAfterChange(): Promise<void> {
    // What is being read right now may not hold the change yet.
    await this.#reading;
    this.#lastTry = undefined;
    await this.refresh();
  }

  /** The next who asks waits for a copy of what is there now. */
  forget(): void {
    this.#copy = undefined;
    this.#lastTry = undefined;
  }

  /** Never rejects. */
  async #attempt(): Promise<boolean> {
    const readAt = this.clock.now();
    try {
      this.#copy = { value: await withTimeout(this.read(), ANSWER_WITHIN_MS, 'reading the copy'), readAt };
      return true;
    } catch (error) {
      this.#failure = error;
      return false;
    }
  }

  /** A clock that was set back makes everything look too old, never too fresh. */
  #since(instant: number | undefined): number {
    const passed = instant === undefined ? -1 : this.clock.now() - instant;
    return passed < 0 ? Infinity : passed;
  }
}
