import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiter } from '#delivery-kit/rate-limiter';
import type { Clock } from '#base/clock';
import { addressKey } from './client-address.js';
import { HttpError } from './http-error.js';

// Whoever has nothing yet takes 0.7 MB for /docs and 0.6 MB for the console. Forty of them may come from one address at once.
const BYTES_PER_SECOND = 8 * 1024 * 1024;
const BURST_MS = 4_000;
// Beyond this, a client would give up and ask again.
const LONGEST_WAIT_MS = 3_000;
const MOST_ADDRESSES = 10_000;

/**
 * Bounds the bytes of public documents that an address takes in a second: of all that a stranger may ask for, sending them costs the
 * processors most. A document waits for its turn before it is refused, so most floods only slow down their own connections.
 */
export class DocumentPace {
  readonly #limiters = new LRUCache<string, RateLimiter>({ max: MOST_ADDRESSES });

  constructor(private readonly clock: Clock) {}

  /** Ends when a document of so many bytes may be sent. @throws HttpError 42900 */
  async turn({ ip, method }: Pick<FastifyRequest, 'ip' | 'method'>, bytes: number): Promise<void> {
    if (method === 'HEAD') return;
    const now = this.clock.monotonic();
    const limiter = this.#limiterOf(addressKey(ip));
    const waitMs = limiter.waitMs(now);
    if (waitMs > LONGEST_WAIT_MS) {
      throw HttpError.with(42900, undefined, { 'retry-after': String(Math.ceil(waitMs / 1_000)) });
    }
    limiter.take(now, bytes);
    if (waitMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, waitMs));
  }

  #limiterOf(address: string): RateLimiter {
    const existing = this.#limiters.get(address);
    if (existing) return existing;
    const limiter = new RateLimiter({ perSecond: BYTES_PER_SECOND, burstMs: BURST_MS });
    this.#limiters.set(address, limiter);
    return limiter;
  }
}
