import { Injectable } from '@nestjs/common';

const MB = 1024 * 1024;

/** All long answers that are being made or sent; a key has at most half of it. */
export const MOST_BYTES = 48 * MB;
export const MOST_BYTES_OF_KEY = 24 * MB;

// Clients that read get their answer within this time, unless too many ask.
const WAIT_MS = 5_000;

type Waiting = Readonly<{ key: string; bytes: number; begin: () => void }>;

/** The memory of one long answer. */
export type Reservation = Readonly<{
  /** Corrects the estimate. */
  resize: (bytes: number) => void;
  /** Idempotent. */
  release: () => void;
}>;

/**
 * Bounds the bytes of long answers that clients have asked for and not yet read, in all and for each key. Further ones wait their
 * turn. An answer that is larger than a bound by itself is admitted alone.
 */
@Injectable()
export class LongAnswers {
  readonly #ofKey = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  get bytes(): number {
    return this.#total;
  }

  /** Undefined if there was no room in time. */
  async reserve(key: string, bytes: number, waitMs = WAIT_MS): Promise<Reservation | undefined> {
    if (this.#hasRoom(key, bytes) && !this.#waiting.some((other) => other.key === key)) return this.#admit(key, bytes);
    return await new Promise((resolve) => {
      const waiting: Waiting = {
        key,
        bytes,
        begin: () => {
          clearTimeout(timer);
          resolve(this.#admit(key, bytes));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        resolve(undefined);
      }, waitMs);
      this.#waiting.push(waiting);
    });
  }

  #admit(key: string, bytes: number): Reservation {
    let held = 0;
    const resize = (to: number) => {
      this.#add(key, to - held);
      held = to;
    };
    resize(bytes);
    let isReleased = false;
    return {
      resize: (to) => {
        if (isReleased) return;
        const isSmaller = to < held;
        resize(to);
        if (isSmaller) this.#beginWaiting();
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        resize(0);
        this.#beginWaiting();
      },
    };
  }

  #add(key: string, bytes: number): void {
    this.#total += bytes;
    const ofKey = (this.#ofKey.get(key) ?? 0) + bytes;
    if (ofKey > 0) this.#ofKey.set(key, ofKey);
    else this.#ofKey.delete(key);
  }

  #hasRoom(key: string, bytes: number): boolean {
    const ofKey = this.#ofKey.get(key) ?? 0;
    const isWithinKey = ofKey === 0 || ofKey + bytes <= MOST_BYTES_OF_KEY;
    return isWithinKey && (this.#total === 0 || this.#total + bytes <= MOST_BYTES);
  }

  /** The oldest first. A key that has its share does not hold up the others. */
  #beginWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.key, waiting.bytes)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      waiting.begin();
    }
  }
}
