import type { Clock } from '#runtime/clock';

/** So many seconds' worth may come at once: a burst passes, a flood does not. */
const BURST_SECONDS = 2;

/** What a bucket holds after a request; `waitSeconds` is 0, or after how long to come back. */
export type Taken = Readonly<{ waitSeconds: number; limit: number; remaining: number; fullAfterSeconds: number }>;

/** A token bucket per name, in this process's memory. */
export class TokenBuckets {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(private readonly clock: Clock) {}

  /** Takes one request's token. */
  take(name: string, perSecond: number): Taken {
    const limit = perSecond * BURST_SECONDS;
    const now = this.clock.now();
    const bucket = this.#buckets.get(name) ?? { tokens: limit, at: now };
    this.#buckets.set(name, bucket);
    // A clock that was set back gives nothing.
    const refilled = Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
    const allowed = refilled >= 1;
    bucket.tokens = allowed ? refilled - 1 : refilled;
    bucket.at = now;
    return {
      waitSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - refilled) / perSecond)),
      limit,
      remaining: Math.floor(bucket.tokens),
      fullAfterSeconds: Math.ceil((limit - bucket.tokens) / perSecond),
    };
  }
}
