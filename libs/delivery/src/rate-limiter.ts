/** `burstMs`: how far ahead of an even flow things may go, so what goes at once after a pause is that long's worth and one. */
export type Rate = Readonly<{ perSecond: number; burstMs: number }>;

/** A run of turns that were set aside: the first at `firstMs`, the others `everyMs` after each other, the next free at `nextMs`. */
export type Turns = Readonly<{ firstMs: number; everyMs: number; count: number; nextMs: number }>;

// Sums of fractions of a millisecond are off by less than this, and nobody waits for it.
const SLACK_MS = 0.01;

/**
 * A rate limit by the generic cell rate algorithm (ITU-T I.371, annex A; the same as a token bucket that holds `burstMs` worth
 * of tokens and one). All its state is `until`, the theoretical arrival time: another process goes on from it. Times are
 * milliseconds of one clock, which the caller chooses.
 */
export class RateLimiter {
  private readonly everyMs: number;

  constructor(
    private readonly rate: Rate,
    private next = 0,
  ) {
    this.everyMs = 1_000 / rate.perSecond;
  }

  get until(): number {
    return this.next;
  }

  /** How long the next one has to wait. */
  waitMs(now: number): number {
    const waitMs = this.next - this.rate.burstMs - now;
    return waitMs > SLACK_MS ? waitMs : 0;
  }

  /** One goes now. */
  take(now: number): void {
    this.next = Math.max(this.next, now) + this.everyMs;
  }

  /** None goes before. */
  holdUntil(at: number): void {
    this.next = Math.max(this.next, at + this.rate.burstMs);
  }

  /** How many may go at once. */
  remaining(now: number): number {
    const usedMs = Math.max(0, this.next - now);
    return Math.max(0, Math.floor((this.rate.burstMs + this.everyMs - usedMs + SLACK_MS) / this.everyMs));
  }

  /** After how long as many may go at once as ever. */
  fullAfterMs(now: number): number {
    return Math.max(0, this.next - now - SLACK_MS);
  }

  /** Sets aside the turns from `now` on that lie before `untilMs`, `most` at most. Turns that were missed are lost. */
  reserve(now: number, untilMs: number, most: number): Turns {
    const firstMs = now + this.waitMs(now);
    const count = Math.max(0, Math.min(most, Math.ceil((untilMs - firstMs) / this.everyMs)));
    this.next = Math.max(this.next, now) + count * this.everyMs;
    return { firstMs, everyMs: this.everyMs, count, nextMs: this.next };
  }
}
