/** After a pause, the requests of `burstMs` and one more may go at once. */
export type Rate = Readonly<{ perSecond: number; burstMs: number }>;

/** The first slot is at `firstMs`, the others at intervals of `everyMs`. `nextMs` is the next free slot. */
export type ReservedSlots = Readonly<{ firstMs: number; everyMs: number; count: number; nextMs: number }>;

const SLACK_MS = 0.01;

/** Generic cell rate algorithm (ITU-T I.371, annex A). Its whole state is `until`, so another process can continue. */
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

  waitMs(now: number): number {
    const waitMs = this.next - this.rate.burstMs - now;
    return waitMs > SLACK_MS ? waitMs : 0;
  }

  take(now: number, cost = 1): void {
    this.next = Math.max(this.next, now) + cost * this.everyMs;
  }

  holdUntil(at: number): void {
    this.next = Math.max(this.next, at + this.rate.burstMs);
  }

  remaining(now: number): number {
    const usedMs = Math.max(0, this.next - now);
    return Math.max(0, Math.floor((this.rate.burstMs + this.everyMs - usedMs + SLACK_MS) / this.everyMs));
  }

  fullAfterMs(now: number): number {
    return Math.max(0, this.next - now - SLACK_MS);
  }

  /** At most `most` slots between `now` and `untilMs`. Unused earlier slots are lost. */
  reserve(now: number, untilMs: number, most: number): ReservedSlots {
    const firstMs = now + this.waitMs(now);
    const count = Math.max(0, Math.min(most, Math.ceil((untilMs - firstMs) / this.everyMs)));
    this.next = Math.max(this.next, now) + count * this.everyMs;
    return { firstMs, everyMs: this.everyMs, count, nextMs: this.next };
  }
}
