import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import type { Lease, PendingPing, PingLedger } from './ping-ledger.js';
import type { PlatformCircuitBreaker } from './platform-circuit-breaker.js';
import { type Attempt, attemptAfter } from '#delivery-kit/attempt';
import { continued } from '#base/tracing';
import { type JobProcessor, jobSpan } from '#delivery-kit/queue-task';
import type { PingJob } from './ping-queue.js';
import type { RetryPolicy } from '#delivery-kit/retry-schedule';

export type DeliverySettings = RetryPolicy & Readonly<{ onAttempt?: (state: Attempt['state']) => void }>;

/** An order whose pings must be checked at a time (milliseconds since the epoch). */
export type Wakeup = Readonly<{ orderId: string; at: number }>;

// The holder of the lease usually finds our ping too. This retry is for a ping that came just before the release.
const RETRY_AFTER_MS = 500;

// A job may arrive before this process's copy of the database clock reaches the ping's due time.
const EARLY_MS = 20;

export class PingDelivery implements JobProcessor<PingJob, Wakeup | undefined> {
  constructor(
    private readonly ledger: PingLedger,
    private readonly platform: PlatformCircuitBreaker,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly settings: DeliverySettings,
  ) {}

  async process({ orderId }: PingJob): Promise<Wakeup | undefined> {
    return await this.drain(orderId);
  }

  /** Stops after a failure. Returns when to check again, or undefined if the breaker is open: then the sweep continues. */
  async drain(orderId: string): Promise<Wakeup | undefined> {
    // Before taking the lease, because with a low rate limit the wait may exceed the lease.
    if (!(await this.platform.rateLimiter.acquire())) return undefined;
    const lease = await this.ledger.take(orderId);
    if (!lease) return { orderId, at: this.clock.now() + RETRY_AFTER_MS };
    try {
      return await this.drainUnder(lease);
    } catch (error) {
      await this.ledger.releaseAfterError(lease);
      throw error;
    }
  }

  stop(): void {
    this.platform.rateLimiter.stop();
  }

  private async drainUnder(lease: Lease): Promise<Wakeup | undefined> {
    const { orderId } = lease;
    const head = await this.ledger.head(orderId);
    if (head && head.nextTryAt <= this.clock.now() + EARLY_MS) return await this.deliver(lease, head);
    await this.ledger.release(lease);
    return head && { orderId, at: head.nextTryAt };
  }

  private async deliver(lease: Lease, first: PendingPing): Promise<Wakeup | undefined> {
    let ping: PendingPing | undefined = first;
    while (ping) {
      const startedAt = this.clock.now();
      const due = ping;
      const outcome = await continued(due.traceparent, jobSpan('pings'), () => this.platform.send(due));
      if (!outcome) {
        await this.ledger.release(lease);
        return undefined;
      }
      const fraction = outcome.error === null ? 0 : this.randomness.fraction();
      const timed = { outcome, startedAt, endedAt: this.clock.now(), fraction };
      // A parked ping no longer blocks the pings after it. Each has its own delivery period.
      const attempt = { sequence: ping.sequence, ...attemptAfter(ping, timed, this.settings) };
      const { written, next }: { written: boolean; next: PendingPing | undefined } = await this.ledger.record(
        lease,
        attempt,
      );
      if (!written) return undefined;
      this.settings.onAttempt?.(attempt.state);
      if (attempt.nextTryAt !== null) return { orderId: lease.orderId, at: attempt.nextTryAt };
      ping = next;
      if (!ping || !this.platform.rateLimiter.isLimited) continue;
      await this.ledger.release(lease);
      return { orderId: lease.orderId, at: this.clock.now() };
    }
    return undefined;
  }
}
