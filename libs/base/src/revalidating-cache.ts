import type { Clock } from './clock.js';
import { withTimeout } from './with-timeout.js';

/** A `get` refreshes a copy that is this old. */
export const REFRESH_AFTER_MS = 2_000;

/** From this age on `get` waits for the refresh. Including the time to read, all processes see a change within 5 s. */
export const WAIT_AFTER_MS = 4_000;

export const USABLE_FOR_MS = 60_000;

/** The shortest time between two reads. Requests from strangers must not become load on the database. */
export const READ_EVERY_MS = 1_000;

const ANSWER_WITHIN_MS = 1_000;

/** Caches one small value that other processes may change (stale-while-revalidate and stale-if-error, RFC 5861). Reads only on demand. */
export class RevalidatingCache<T> {
  #copy: Readonly<{ value: T; readAt: number }> | undefined;
  #reading: Promise<boolean> | undefined;
  #lastTry: number | undefined;
  #failure: unknown;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly clock: Clock,
  ) {}

  async get(): Promise<T> {
    const age = this.#since(this.#copy?.readAt);
    if (age >= REFRESH_AFTER_MS) {
      const reading = this.refresh();
      if (age >= WAIT_AFTER_MS) await reading;
    }
    if (this.#copy && this.#since(this.#copy.readAt) < USABLE_FOR_MS) return this.#copy.value;
    throw new Error('no copy is fresh enough and none can be read', { cause: this.#failure });
  }

  /** Joins a running read. Does nothing if the last one is less than `READ_EVERY_MS` ago. Returns whether a read succeeded. */
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

  async refreshAfterChange(): Promise<void> {
    // A read that is already running may not include the change.
    await this.#reading;
    this.#lastTry = undefined;
    await this.refresh();
  }

  forget(): void {
    this.#copy = undefined;
    this.#lastTry = undefined;
  }

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

  /** A clock that was set back makes the copy look too old, never too fresh. */
  #since(instant: number | undefined): number {
    const passed = instant === undefined ? -1 : this.clock.now() - instant;
    return passed < 0 ? Infinity : passed;
  }
}
