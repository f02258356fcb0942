import { allowedConcurrency, afterStart, type CircuitBreaker } from '#delivery/circuit-breaker';
import { RateLimiter } from '#delivery/rate-limiter';
import { type AttemptSettings, breakerAfter, type Made } from './attempts.js';
import type { Endpoint } from './endpoint.js';
import type { EndpointRecord } from './endpoint-record.js';
import type { Lease } from './webhook-ledger.js';

export type ReceiverSettings = AttemptSettings & Readonly<{ atOnce: number }>;

// Enough that a rate of hundreds is not spread delivery by delivery.
const BURST_MS = 100;

/** The other side of a drain: whether it may be sent to just now, and what its answers mean for it. */
export class Receiver {
  #endpoint: Endpoint;
  #breaker: CircuitBreaker;
  #limiter: RateLimiter;
  // One save after the other: a later state must not be overwritten by an earlier one.
  #saves: Promise<boolean> = Promise.resolve(true);

  constructor(
    readonly lease: Lease,
    endpoint: Endpoint,
    private readonly record: EndpointRecord,
    private readonly settings: ReceiverSettings,
  ) {
    this.#endpoint = endpoint;
    this.#breaker = endpoint.breaker;
    this.#limiter = limiterOf(endpoint, endpoint.pacedUntil);
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  get breaker(): CircuitBreaker {
    return this.#breaker;
  }

  get pacedUntil(): number {
    return this.#limiter.until;
  }

  /** Whether everything that is due to it is sent at its time. */
  get isHealthy(): boolean {
    return this.#endpoint.state === 'active' && this.#breaker.state === 'closed';
  }

  /** Its terms have changed. */
  adopt(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
    this.#breaker = endpoint.breaker;
    this.#limiter = limiterOf(endpoint, this.#limiter.until);
  }

  /** How many deliveries may be under way. */
  room(now: number): number {
    const { state, signers } = this.#endpoint;
    return state === 'active' && signers.length > 0 ? allowedConcurrency(this.#breaker, this.settings.atOnce, now) : 0;
  }

  waitMs(now: number): number {
    return this.#limiter.waitMs(now);
  }

  /** A delivery is about to be sent. */
  begin(now: number): void {
    this.#limiter.take(now);
    this.change(afterStart(this.#breaker));
  }

  /** What came of a delivery. Whether that changes how it is sent to; `saved` tells when that is written. */
  judge(made: Made): boolean {
    const { retryAfterMs } = made.answered;
    if (retryAfterMs !== undefined) this.#limiter.holdUntil(made.endedAt + retryAfterMs);
    return this.change(breakerAfter(this.#breaker, this.settings.breaker, made));
  }

  /** False when the lease had passed to another. */
  async saved(): Promise<boolean> {
    return await this.#saves;
  }

  async caughtUp(): Promise<void> {
    if (!this.#endpoint.recovering) return;
    await this.record.caughtUp(this.lease);
    this.#endpoint = { ...this.#endpoint, recovering: false };
  }

  async disable(reason: string): Promise<void> {
    await this.#saves;
    await this.record.disable(this.lease, reason);
  }

  private change(after: CircuitBreaker): boolean {
    const before = this.#breaker;
    if (after === before) return false;
    this.#breaker = after;
    if (after.state === 'open') this.#endpoint = { ...this.#endpoint, recovering: true };
    this.#saves = this.#saves.then((held) => held && this.record.saveBreaker(this.lease, before, after));
    // Whoever asks by `saved` hears of a failure; until then it is nobody's.
    this.#saves.catch(() => undefined);
    return true;
  }
}

function limiterOf({ options }: Endpoint, until: number): RateLimiter {
  return new RateLimiter({ perSecond: options.rate_per_second, burstMs: BURST_MS }, until);
}
