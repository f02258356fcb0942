import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { tokenDigest } from '#base/token';
import { KeyedRateLimiter } from '#delivery-kit/keyed-rate-limiter';
import { Clock } from '#base/clock';
import { addressKey } from '#web/client-address';
import { HttpError } from '#web/http-error';

const PER_SECOND = 0.5;
// 200 wrong tokens in a row: a script with an old token, and whoever shares its address, must not be held back after a minute of tries.
const BURST_SECONDS = 400;
const MOST_KNOWN = 1_000;

/**
 * Limits the wrong tokens of an address. A token that was right before is always looked at, so that whoever guesses behind the same address
 * locks out no program that works.
 */
@Injectable()
export class TokenGuesses {
  readonly #tries: KeyedRateLimiter;
  /** Digests, because the tokens themselves stay in no memory for long. */
  readonly #right = new LRUCache<string, true>({ max: MOST_KNOWN });

  constructor(clock: Clock) {
    this.#tries = new KeyedRateLimiter(clock, BURST_SECONDS);
  }

  /**
   * Looks a token up with `find`, which returns undefined for a wrong one. A try counts before it, so that simultaneous ones count too.
   * @throws HttpError 42900 without looking after too many wrong ones
   */
  async checked<T>(authorization: string, ip: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const digest = tokenDigest(authorization).toString('base64');
    const { waitSeconds } = this.#right.has(digest)
      ? { waitSeconds: 0 }
      : this.#tries.admit(addressKey(ip), PER_SECOND);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
    const found = await find();
    if (found === undefined) this.#right.delete(digest);
    else this.#right.set(digest, true);
    return found;
  }
}
