// What may go at once after a pause, as a part of a second's worth: enough that a rate of hundreds is not paced one by one.
const BURST_MS = 100;

/**
 * The rate limit of one receiver (GCRA): `until` is all that has to be kept of it when another worker goes on.
 * Times in milliseconds since the epoch.
 */
export class RateLimiter {
  private readonly everyMs: number;

  constructor(
    perSecond: number,
    private next = 0,
  ) {
    this.everyMs = 1_000 / perSecond;
  }

  get until(): number {
    return this.next;
  }

  /** How long the next delivery has to wait. */
  waitMs(now: number): number {
    return Math.max(0, this.next - BURST_MS - now);
  }

  /** A delivery goes now. */
  take(now: number): void {
    this.next = Math.max(this.next, now) + this.everyMs;
  }

  /** None goes before. */
  holdUntil(at: number): void {
    this.next = Math.max(this.next, at + BURST_MS);
  }
}
