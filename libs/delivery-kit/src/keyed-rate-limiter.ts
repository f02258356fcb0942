import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock';
import { RateLimiter } from './rate-limiter.js';

/** `waitSeconds` is 0 if the request was admitted. `remaining` further requests may follow at once. */
export type Admission = Readonly<{ waitSeconds: number; limit: number; remaining: number; fullAfterSeconds: number }>;

const BURST_SECONDS = 2;
// Bounds the memory where strangers choose the keys. Whoever asks often stays among them.
const MOST_KEYS = 10_000;

export class KeyedRateLimiter {
  readonly #limiters = new LRUCache<string, Readonly<{ perSecond: number; limiter: RateLimiter }>>({ max: MOST_KEYS });

  /** @param burstSeconds this many seconds of the rate may arrive in one burst */
  constructor(
    private readonly clock: Clock,
    private readonly burstSeconds = BURST_SECONDS,
  ) {}

  /**
   * Counts the request if it is admitted, as `cost` requests. One that costs more than is left is admitted, and the next ones wait
   * the longer. A changed `perSecond` applies at once.
   */
  admit(key: string, perSecond: number, cost = 1): Admission {
    // Nobody can set this clock, so a correction of the system time does not change the result.
    const now = this.clock.monotonic();
    const limiter = this.#limiter(key, perSecond);
    const waitMs = limiter.waitMs(now);
    if (waitMs === 0) limiter.take(now, cost);
    return {
      waitSeconds: Math.ceil(waitMs / 1_000),
      limit: perSecond * this.burstSeconds,
      remaining: limiter.remaining(now),
      fullAfterSeconds: Math.ceil(limiter.fullAfterMs(now) / 1_000),
    };
  }

  #limiter(key: string, perSecond: number): RateLimiter {
    const existing = this.#limiters.get(key);
    if (existing?.perSecond === perSecond) return existing.limiter;
    const burstMs = this.burstSeconds * 1_000 - 1_000 / perSecond;
    const limiter = new RateLimiter({ perSecond, burstMs }, existing?.limiter.until);
    this.#limiters.set(key, { perSecond, limiter });
    return limiter;
  }
}
