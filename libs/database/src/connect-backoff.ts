import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Randomness } from '#base/randomness';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/** Exponential backoff with jitter. While the server is unreachable, one attempt runs at a time and all callers wait for its result. */
export class ConnectBackoff {
  #failures = 0;
  #attempt: Promise<unknown> | undefined;

  constructor(
    private readonly randomness: Pick<Randomness, 'fraction'>,
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {}

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
      if (isUnreachable(error)) this.#failures = Math.max(this.#failures, before + 1);
      throw error;
    }
  }

  #waitMs(): number {
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    return longest * (0.5 + this.randomness.fraction() / 2);
  }
}

/** True if there is no server or it does not accept connections yet. A refused login or a full server is reachable. */
export function isUnreachable(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P') === true;
}
