import type { Clock } from '#runtime/clock';
import type { Randomness } from '#runtime/randomness';
import {
  afterFailure,
  afterSuccess,
  type CircuitBreaker,
  type CircuitBreakerSettings,
  CLOSED,
} from '#delivery/circuit-breaker';
import type { PendingPing } from './ping-ledger.js';
import type { PingRateLimiter } from './ping-rate-limiter.js';
import type { Outcome, PingSender } from './ping-sender.js';
import type { PlatformRecord } from './platform-record.js';
import type { RetryPolicy } from '#delivery/retry-schedule';

export type PlatformBreakerDependencies = Readonly<{
  sender: Pick<PingSender, 'send'>;
  record: Pick<PlatformRecord, 'read' | 'save' | 'claim'>;
  clock: Clock;
  randomness: Randomness;
  report: (error: unknown) => void;
}>;

export type PlatformBreakerSettings = Readonly<{
  breaker: CircuitBreakerSettings;
  /** PING_RETRY_FOR_MS. */
  forMs: number;
  /** The longest time for a probe and its record. After this another worker may probe the platform. */
  trialMs: number;
}>;

// This many consecutive orders do not fail because of a minor problem.
const FAILURES_TO_OPEN = 10;

// A platform that is back is noticed within this time, so the breaker delays no ping by more than this.
const LONGEST_BREAK_MS = 10_000;

// If nobody has probed the platform for this long, the worker that opened the breaker is gone or has nothing to send.
const ABANDONED_AFTER_MS = 10_000;

/** The waits of the breaker start like those of a ping but stay short, because the retry schedule is what we promise the platform. */
export function platformBreaker({ firstMs, maxMs }: RetryPolicy): CircuitBreakerSettings {
  return { failuresToOpen: FAILURES_TO_OPEN, firstMs, maxMs: Math.min(maxMs, LONGEST_BREAK_MS) };
}

/**
 * Holds pings back while the platform is down. Held-back pings consume no attempts. Each worker opens its own breaker, so a worker
 * with a broken network does not stop the others. Workers share who probes the platform and that it is back. While the breaker is
 * closed, it does not access the database.
 */
export class PlatformCircuitBreaker {
  #breaker: CircuitBreaker = CLOSED;
  /** The orders that failed since the platform last responded. Repeated failures of one order count only once. */
  readonly #failing = new Set<string>();
  // Saves run one after the other, so an earlier state cannot overwrite a later one.
  #saves: Promise<unknown> = Promise.resolve();
  #onClosed: () => void = () => undefined;

  constructor(
    private readonly tools: PlatformBreakerDependencies,
    private readonly settings: PlatformBreakerSettings,
    readonly rateLimiter: PingRateLimiter,
  ) {}

  get isClosed(): boolean {
    return this.#breaker.state === 'closed';
  }

  /** Calls the listener when held-back pings may be sent. */
  whenClosed(listener: () => void): void {
    this.#onClosed = listener;
  }

  /** Makes one attempt. Returns undefined if the ping was held back. */
  async send(ping: PendingPing): Promise<Outcome | undefined> {
    const leave = this.isClosed ? 'usual' : await this.leave(ping);
    if (leave === 'none') return undefined;
    const outcome = await this.tools.sender.send(ping);
    await this.judge(ping.orderId, outcome, leave === 'trial');
    return outcome;
  }

  /** Returns the due pings that `send` would admit. `due` must be in order, with the longest waiting first. */
  admitted<Due extends { readonly dueSince: number }>(due: readonly Due[]): readonly Due[] {
    if (this.isClosed) return due;
    const now = this.tools.clock.now();
    return due.filter((ping, index) => (index === 0 && this.isTrialDue(now)) || this.isLastTry(ping, now));
  }

  /** Adopts the shared state of the other workers. */
  async refresh(): Promise<void> {
    await this.#saves;
    const before = this.#breaker;
    const known = await this.tools.record.read();
    // Our own state has changed meanwhile and is newer.
    if (this.#breaker !== before) return;
    const isOpen = known.state !== 'closed';
    if (this.isClosed && isOpen && this.tools.clock.now() < (known.openUntil ?? 0) + ABANDONED_AFTER_MS) return;
    if (this.isClosed && !isOpen) return;
    this.become(known);
  }

  private async leave(ping: PendingPing): Promise<'usual' | 'trial' | 'none'> {
    const now = this.tools.clock.now();
    if (this.isLastTry(ping, now)) return 'usual';
    if (!this.isTrialDue(now)) return 'none';
    if (await this.claimTrial(now)) return 'trial';
    return this.isClosed ? 'usual' : 'none';
  }

  /** A breaker that is open longer than possible was written with a wrong clock. */
  private isTrialDue(now: number): boolean {
    const { breaker, trialMs } = this.settings;
    const restMs = (this.#breaker.openUntil ?? 0) - now;
    return restMs <= 0 || restMs > Math.max(breaker.maxMs, trialMs);
  }

  /** The last attempt of the schedule is made on time even if the breaker is open. */
  private isLastTry({ dueSince }: { readonly dueSince: number }, now: number): boolean {
    return now >= dueSince + this.settings.forMs;
  }

  private async claimTrial(now: number): Promise<boolean> {
    const until = now + this.settings.trialMs;
    // Set before the await, so that no other drain of this worker claims the probe too.
    this.#breaker = { ...this.#breaker, state: 'half_open', openUntil: until };
    if (await this.tools.record.claim(until)) return true;
    await this.refresh();
    return false;
  }

  private async judge(orderId: string, outcome: Outcome, isTrial: boolean): Promise<void> {
    const before = this.#breaker;
    const after = this.after(orderId, outcome, isTrial);
    if (after === before) return;
    this.become(after);
    if (before.state === 'closed' && after.state === 'closed') return;
    this.#saves = this.#saves.then(() => this.tools.record.save(after)).catch(this.tools.report);
    await this.#saves;
  }

  private after(orderId: string, outcome: Outcome, isTrial: boolean): CircuitBreaker {
    const breaker = this.#breaker;
    const now = this.tools.clock.now();
    if ('unsent' in outcome) return isTrial && !this.isClosed ? { ...breaker, state: 'open', openUntil: now } : breaker;
    if (isAnswer(outcome)) {
      this.#failing.clear();
      return afterSuccess(breaker);
    }
    if (this.isClosed ? this.#failing.has(orderId) : !isTrial) return breaker;
    this.#failing.add(orderId);
    return afterFailure(breaker, this.settings.breaker, now, this.tools.randomness.fraction());
  }

  private become(after: CircuitBreaker): void {
    const wasClosed = this.isClosed;
    this.#breaker = after;
    if (wasClosed === this.isClosed) return;
    this.#failing.clear();
    if (this.isClosed) this.#onClosed();
  }
}

/** Any response below 500 proves that the platform works. A 429 delays only its own ping. */
function isAnswer({ httpStatus }: Outcome): boolean {
  return httpStatus !== null && httpStatus < 500;
}
