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

export type GateTools = Readonly<{
  sender: Pick<PingSender, 'send'>;
  record: Pick<PlatformRecord, 'read' | 'save' | 'claim'>;
  clock: Clock;
  randomness: Randomness;
  report: (fault: unknown) => void;
}>;

export type GateSettings = Readonly<{
  breaker: CircuitBreakerSettings;
  /** PING_RETRY_FOR_MS. */
  forMs: number;
  /** For a trial, its record included: after this another worker may try the platform out. */
  trialMs: number;
}>;

// So many orders in a row do not fail at a platform that is merely a bit unwell.
const FAILURES_TO_OPEN = 10;

// A platform that is back is noticed within this time, and so no ping is later than its schedule by more.
const LONGEST_BREAK_MS = 10_000;

// So late somebody would have tried the platform out, if there was anything to send: whoever opened the breaker is gone, or idle.
const ABANDONED_AFTER_MS = 10_000;

/** The breaker's waits begin like those of a ping, and stay short: the schedule is what the platform was promised. */
export function platformBreaker({ firstMs, maxMs }: RetryPolicy): CircuitBreakerSettings {
  return { failuresToOpen: FAILURES_TO_OPEN, firstMs, maxMs: Math.min(maxMs, LONGEST_BREAK_MS) };
}

/**
 * Stands before the sender, and holds pings back while the platform is away: what waits is tried by nobody and counts no
 * try. Every worker opens its breaker by itself, so that one whose network is broken stops nobody else; who tries the platform
 * out, and that it is back, they tell each other. While all is well nothing of this asks the database.
 */
export class PlatformGate {
  #breaker: CircuitBreaker = CLOSED;
  /** Whose pings have failed since the platform last answered: an order that fails by itself says nothing of the others. */
  readonly #failing = new Set<string>();
  // One save after the other: a later state must not be overwritten by an earlier one.
  #saves: Promise<unknown> = Promise.resolve();
  #onClosed: () => void = () => undefined;

  constructor(
    private readonly tools: GateTools,
    private readonly settings: GateSettings,
    readonly rateLimiter: PingRateLimiter,
  ) {}

  get isClosed(): boolean {
    return this.#breaker.state === 'closed';
  }

  /** What was held back may go from then on. */
  whenClosed(listener: () => void): void {
    this.#onClosed = listener;
  }

  /** One attempt; undefined when the ping was held back, and none was made. */
  async send(ping: PendingPing): Promise<Outcome | undefined> {
    const leave = this.isClosed ? 'usual' : await this.leave(ping);
    if (leave === 'none') return undefined;
    const outcome = await this.tools.sender.send(ping);
    await this.judge(ping.orderId, outcome, leave === 'trial');
    return outcome;
  }

  /** Those of the due pings that are worth a job, the longest untried first. */
  admitted<Due extends { readonly dueSince: number }>(due: readonly Due[]): readonly Due[] {
    if (this.isClosed) return due;
    const now = this.tools.clock.now();
    return due.filter((ping, index) => (index === 0 && this.isTrialDue(now)) || this.isLastTry(ping, now));
  }

  /** Takes on what other workers have found out. */
  async refresh(): Promise<void> {
    await this.#saves;
    const before = this.#breaker;
    const known = await this.tools.record.read();
    // What became of it in the meantime is newer.
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

  /** A break that lasts longer than any can was written while a clock was wrong. */
  private isTrialDue(now: number): boolean {
    const { breaker, trialMs } = this.settings;
    const restMs = (this.#breaker.openUntil ?? 0) - now;
    return restMs <= 0 || restMs > Math.max(breaker.maxMs, trialMs);
  }

  /** A ping is given up when the schedule says so: the try that comes before is made at its time, whatever the breaker says. */
  private isLastTry({ dueSince }: { readonly dueSince: number }, now: number): boolean {
    return now >= dueSince + this.settings.forMs;
  }

  private async claimTrial(now: number): Promise<boolean> {
    const until = now + this.settings.trialMs;
    // At once, so that no other drain of this worker asks for it too.
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

/** Whatever it has against this ping, the platform is there. A 429 asks for a rest for the ping that got it. */
function isAnswer({ httpStatus }: Outcome): boolean {
  return httpStatus !== null && httpStatus < 500;
}
