import type { Clock } from '#base/clock';

/** In ms. */
type Waits = Readonly<{ first: number; longest: number }>;

/** Orders of this process whose last attempt failed. Each wait is twice as long as the one before. */
export class OrderWaits {
  private readonly waits = new Map<string, { until: number; waitMs: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: Waits,
  ) {}

  has(orderId: string): boolean {
    return (this.waits.get(orderId)?.until ?? 0) > this.clock.monotonic();
  }

  /** The orders that wait now. */
  get orders(): string[] {
    const now = this.clock.monotonic();
    // Another process has completed these.
    for (const [id, { until }] of this.waits) if (until + this.limits.longest < now) this.waits.delete(id);
    return [...this.waits.keys()].filter((id) => this.has(id));
  }

  /** Lets the order wait for so long, and forgets how long it waited before. */
  hold(orderId: string, forMs: number): void {
    this.waits.set(orderId, { until: this.clock.monotonic() + forMs, waitMs: this.limits.first / 2 });
  }

  /** Does the work, unless the order waits. If the work throws, the order waits longer than before. */
  async attempt(orderId: string, work: () => Promise<void>): Promise<void> {
    if (this.has(orderId)) return;
    try {
      await work();
      this.waits.delete(orderId);
    } catch (error) {
      const { first, longest } = this.limits;
      const waitMs = Math.min(longest, (this.waits.get(orderId)?.waitMs ?? first / 2) * 2);
      this.waits.set(orderId, { until: this.clock.monotonic() + waitMs, waitMs });
      throw error;
    }
  }
}
