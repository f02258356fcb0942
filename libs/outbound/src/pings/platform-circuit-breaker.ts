import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import { afterFailure, afterSuccess, type CircuitBreaker, CLOSED } from '#delivery-kit/circuit-breaker';
import type { PendingPing } from './ping-ledger.js';
import type { PingRateLimiter } from './ping-rate-limiter.js';
import type { PlatformBreakerSettings } from './ping-settings.js';
import type { PingOutcome, PingSender } from './ping-sender.js';
import type { PlatformRecord } from './platform-record.js';

export type PlatformBreakerDependencies = Readonly<{
  sender: Pick<PingSender, 'send'>;
  record: Pick<PlatformRecord, 'read' | 'save' | 'claim'>;
  clock: Clock;
  randomness: Randomness;
  onError: (error: unknown) => void;
}>;

// If nobody has probed the platform for this long, the worker that opened the breaker is gone or has nothing to send.
const ABANDONED_AFTER_MS = 10_000;

/**
 * Holds pings back while the platform is down, without consuming attempts. Each worker opens its own breaker, so a broken network of one
 * worker does not stop the others. Workers share the probe and the news that the platform is back. A closed breaker does not access the
 * database.
 */
export class PlatformCircuitBreaker {
  #breaker: CircuitBreaker = CLOSED;
  /** The orders that failed since the platform last responded. Repeated failures of one order count only once. */
  readonly #failing = new Set<string>();
  // Saves run one after the other, so an earlier state cannot overwrite a later one.
  #saves: Promise<unknown> = Promise.resolve();
  #onClosed: () => void = () => undefined;

  constructor(
    private readonly dependencies: PlatformBreakerDependencies,
    private readonly settings: PlatformBreakerSettings,
    readonly rateLimiter: PingRateLimiter,
  ) {}

  get isClosed(): boolean {
    return this.#breaker.state === 'closed';
  }

  /** Called when held-back pings may be sent. */
  onClosed(listener: () => void): void {
    this.#onClosed = listener;
  }

  async send(ping: PendingPing): Promise<PingOutcome | undefined> {
    const admission = this.isClosed ? 'normal' : await this.admissionOf(ping);
    if (admission === 'held') return undefined;
    const outcome = await this.dependencies.sender.send(ping);
    await this.recordOutcome(ping.orderId, outcome, admission === 'probe');
    return outcome;
  }

  /** Returns the due pings that `send` would admit. `due` must be in order, with the longest waiting first. */
  admitted<Due extends { readonly dueSince: number }>(due: readonly Due[]): readonly Due[] {
    if (this.isClosed) return due;
    const now = this.dependencies.clock.now();
    return due.filter((ping, index) => (index === 0 && this.isProbeDue(now)) || this.isLastAttempt(ping, now));
  }

  async refresh(): Promise<void> {
    await this.#saves;
    const before = this.#breaker;
    const known = await this.dependencies.record.read();
    // Our own state has changed meanwhile and is newer.
    if (this.#breaker !== before) return;
    const isOpen = known.state !== 'closed';
    if (this.isClosed && isOpen && this.dependencies.clock.now() < (known.openUntil ?? 0) + ABANDONED_AFTER_MS) return;
    if (this.isClosed && !isOpen) return;
    this.adopt(known);
  }

  private async admissionOf(ping: PendingPing): Promise<'normal' | 'probe' | 'held'> {
    const now = this.dependencies.clock.now();
    if (this.isLastAttempt(ping, now)) return 'normal';
    if (!this.isProbeDue(now)) return 'held';
    if (await this.claimProbe(now)) return 'probe';
    return this.isClosed ? 'normal' : 'held';
  }

  /** A breaker that is open longer than possible was written with a wrong clock. */
  private isProbeDue(now: number): boolean {
    const { breaker, probeMs } = this.settings;
    const restMs = (this.#breaker.openUntil ?? 0) - now;
    return restMs <= 0 || restMs > Math.max(breaker.maxMs, probeMs);
  }

  /** The last attempt of the schedule is made on time even if the breaker is open. */
  private isLastAttempt({ dueSince }: { readonly dueSince: number }, now: number): boolean {
    return now >= dueSince + this.settings.forMs;
  }

  private async claimProbe(now: number): Promise<boolean> {
    const until = now + this.settings.probeMs;
    // Set before the await, so that no other drain of this worker claims the probe too.
    this.#breaker = { ...this.#breaker, state: 'half_open', openUntil: until };
    if (await this.dependencies.record.claim(until)) return true;
    await this.refresh();
    return false;
  }

  private async recordOutcome(orderId: string, outcome: PingOutcome, isProbe: boolean): Promise<void> {
    const before = this.#breaker;
    const after = this.after(orderId, outcome, isProbe);
    if (after === before) return;
    this.adopt(after);
    if (before.state === 'closed' && after.state === 'closed') return;
    this.#saves = this.#saves.then(() => this.dependencies.record.save(after)).catch(this.dependencies.onError);
    await this.#saves;
  }

  private after(orderId: string, outcome: PingOutcome, isProbe: boolean): CircuitBreaker {
    const breaker = this.#breaker;
    const now = this.dependencies.clock.now();
    if ('unsent' in outcome) return isProbe && !this.isClosed ? { ...breaker, state: 'open', openUntil: now } : breaker;
    if (isAnswer(outcome)) {
      this.#failing.clear();
      return afterSuccess(breaker);
    }
    if (this.isClosed ? this.#failing.has(orderId) : !isProbe) return breaker;
    this.#failing.add(orderId);
    return afterFailure(breaker, this.settings.breaker, now, this.dependencies.randomness.fraction());
  }

  private adopt(after: CircuitBreaker): void {
    const wasClosed = this.isClosed;
    this.#breaker = after;
    if (wasClosed === this.isClosed) return;
    this.#failing.clear();
    if (this.isClosed) this.#onClosed();
  }
}

/** Any response below 500 proves that the platform works. A 429 delays only its own ping. */
function isAnswer({ httpStatus }: PingOutcome): boolean {
  return httpStatus !== null && httpStatus < 500;
}
