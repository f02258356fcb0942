import { allowedConcurrency, afterStart, type CircuitBreaker } from '#delivery-kit/circuit-breaker';
import { RateLimiter } from '#delivery-kit/rate-limiter';
import type { TimedOutcome } from '#delivery-kit/attempt';
import { breakerAfter } from './attempts.js';
import { kindOf } from '../destinations/destination-address.js';
import { MOST_LINES } from '../destinations/s3-sender.js';
import type { Endpoint } from '../endpoint.js';
import type { EndpointRecord } from './endpoint-record.js';
import type { Lease } from './webhook-ledger.js';
import type { ReceiverSettings } from './webhook-settings.js';

// Allows small bursts, so a rate of hundreds per second does not need one timer per delivery.
const BURST_MS = 100;

/** The circuit breaker and the rate limit of an endpoint. */
export class Receiver {
  #endpoint: Endpoint;
  #breaker: CircuitBreaker;
  #limiter: RateLimiter;
  // Saves run one after the other, so an earlier state cannot overwrite a later one.
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

  /** True if nothing holds due deliveries back. */
  get isHealthy(): boolean {
    return this.#endpoint.state === 'active' && this.#breaker.state === 'closed';
  }

  adopt(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
    this.#breaker = endpoint.breaker;
    this.#limiter = limiterOf(endpoint, this.#limiter.until);
  }

  capacity(now: number): number {
    const { url, state, signers } = this.#endpoint;
    const atOnce = kindOf(url) === 's3' ? MOST_LINES : this.settings.atOnce;
    return state === 'active' && signers.length > 0 ? allowedConcurrency(this.#breaker, atOnce, now) : 0;
  }

  waitMs(now: number): number {
    return this.#limiter.waitMs(now);
  }

  begin(now: number): void {
    this.#limiter.take(now);
    this.change(afterStart(this.#breaker));
  }

  /** Returns true if the circuit breaker has changed. `saved` waits until that is stored. */
  recordOutcome(timed: TimedOutcome): boolean {
    const { retryAfterMs } = timed.outcome;
    if (retryAfterMs !== undefined) this.#limiter.holdUntil(timed.endedAt + retryAfterMs);
    return this.change(breakerAfter(this.#breaker, this.settings.breaker, timed));
  }

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
    // `saved` reports a failure. Until then it must not count as unhandled.
    this.#saves.catch(() => undefined);
    return true;
  }
}

function limiterOf({ options }: Endpoint, until: number): RateLimiter {
  return new RateLimiter({ perSecond: options.rate_per_second, burstMs: BURST_MS }, until);
}
