import type { Clock } from '#runtime/clock';
import { RateLimiter } from './rate-limiter.js';

/** What came of a request; `waitSeconds` is 0, or after how long to come back. `remaining` may come at once after it. */
export type Admission = Readonly<{ waitSeconds: number; limit: number; remaining: number; fullAfterSeconds: number }>;

// So much of the rate may come at once: a burst passes, a flood does not.
const BURST_SECONDS = 2;

/** A rate limit for each key, in this process's memory. */
export class KeyedRateLimiter {
  readonly #limiters = new Map<string, Readonly<{ perSecond: number; limiter: RateLimiter }>>();

  constructor(private readonly clock: Clock) {}

  /** Counts one request if it is admitted. Another `perSecond` than last time holds from now on. */
  admit(key: string, perSecond: number): Admission {
    // Nobody can set this clock back, so a correction of the time neither admits nor refuses anybody.
    const now = this.clock.monotonic();
    const limiter = this.#limiter(key, perSecond);
    const waitMs = limiter.waitMs(now);
    if (waitMs === 0) limiter.take(now);
    return {
      waitSeconds: Math.ceil(waitMs / 1_000),
      limit: perSecond * BURST_SECONDS,
      remaining: limiter.remaining(now),
      fullAfterSeconds: Math.ceil(limiter.fullAfterMs(now) / 1_000),
    };
  }

  #limiter(key: string, perSecond: number): RateLimiter {
    const known = this.#limiters.get(key);
    if (known?.perSecond === perSecond) return known.limiter;
    // The bucket holds one beside its burst.
    const burstMs = BURST_SECONDS * 1_000 - 1_000 / perSecond;
    const limiter = new RateLimiter({ perSecond, burstMs }, known?.limiter.until);
    this.#limiters.set(key, { perSecond, limiter });
    return limiter;
  }
}
