import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Randomness } from '#runtime/randomness';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Connection attempts to one server, by exponential backoff with jitter. While it cannot be reached there is one attempt at a time,
 * and everybody who wants to connect waits for what becomes of it.
 */
export class ConnectBackoff {
  #failures = 0;
  #attempt: Promise<unknown> | undefined;

  /** @param wait waits so many milliseconds. */
  constructor(
    private readonly randomness: Pick<Randomness, 'fraction'>,
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {}

  /** Connects by `connect`. Throws its error, or that of the attempt that was waited for. */
  async run<T>(connect: () => Promise<T>): Promise<T> {
    if (this.#failures === 0) return await this.#try(connect);
    if (!this.#attempt) {
      const attempt = this.wait(this.#waitMs()).then(() => this.#try(connect));
      this.#attempt = attempt.finally(() => (this.#attempt = undefined));
      this.#attempt.catch(() => undefined);
      return await attempt;
    }
    await this.#attempt;
    return await this.#try(connect);
  }

  async #try<T>(connect: () => Promise<T>): Promise<T> {
    const before = this.#failures;
    try {
      const connected = await connect();
      this.#failures = 0;
      return connected;
    } catch (error) {
      // Of attempts that began together only one counts.
      if (isUnreachable(error)) this.#failures = Math.max(this.#failures, before + 1);
      throw error;
    }
  }

  #waitMs(): number {
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    return longest * (0.5 + this.randomness.fraction() / 2);
  }
}

/** No server there, or one that takes no connections yet; not one that refuses this login or has no connection left. */
export function isUnreachable(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P') === true;
}
