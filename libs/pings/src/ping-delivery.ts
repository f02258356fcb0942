import type { Clock } from '#runtime/clock';
import type { Randomness } from '#runtime/randomness';
import type { Attempt, Lease, PendingPing, PingLedger } from './ping-ledger.js';
import type { Outcome } from './ping-sender.js';
import type { PlatformGate } from './platform-gate.js';
import { nextAttemptAt, type RetryPolicy } from '#delivery/retry-schedule';

export type DeliverySettings = RetryPolicy & Readonly<{ onAttempt?: (state: Attempt['state']) => void }>;

/** An order whose pings are to be looked at, and when (milliseconds since the epoch). */
export type Wakeup = Readonly<{ orderId: string; at: number }>;

// Whoever has the lease finds our ping too unless it came in its very last moment: this is for that moment.
const RING_AGAIN_AFTER_MS = 500;

// A ping's job may be here before this process's reading of the database's clock has come to the ping's time.
const EARLY_MS = 20;

/** Delivers the due pings of one order, first to last. */
export class PingDelivery {
  constructor(
    private readonly ledger: PingLedger,
    private readonly platform: PlatformGate,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly settings: DeliverySettings,
  ) {}

  /**
   * Sends what is due of the order until nothing is, or until one fails: those after it wait for it. When the order is to
   * be looked at again comes back; what the platform's gate holds back the sweep wakeups for, once it lets it pass.
   */
  async drain(orderId: string): Promise<Wakeup | undefined> {
    // Before there is a lease: a low rate may want more patience than a lease has.
    if (!(await this.platform.rateLimiter.turn())) return undefined;
    const lease = await this.ledger.take(orderId);
    if (!lease) return { orderId, at: this.clock.now() + RING_AGAIN_AFTER_MS };
    try {
      return await this.drainUnder(lease);
    } catch (fault) {
      await this.ledger.giveUp(lease);
      throw fault;
    }
  }

  /** Finishes what is under way, and no more. */
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
      const outcome = await this.platform.send(ping);
      if (!outcome) {
        await this.ledger.release(lease);
        return undefined;
      }
      const attempt = this.attempt(ping, startedAt, outcome);
      const { kept, next }: { kept: boolean; next: PendingPing | undefined } = await this.ledger.record(lease, attempt);
      if (!kept) return undefined;
      this.settings.onAttempt?.(attempt.state);
      if (attempt.nextTryAt !== null) return { orderId: lease.orderId, at: attempt.nextTryAt };
      ping = next;
      if (!ping || !this.platform.rateLimiter.isLimited) continue;
      await this.ledger.release(lease);
      return { orderId: lease.orderId, at: this.clock.now() };
    }
    return undefined;
  }

  /** A parked ping no longer holds up those after it: each of them has a time of its own to be delivered in. */
  private attempt(ping: PendingPing, startedAt: number, outcome: Outcome): Attempt {
    const now = this.clock.now();
    const made = {
      sequence: ping.sequence,
      dueSince: ping.dueSince,
      startedAt,
      durationMs: Math.max(0, now - startedAt),
      httpStatus: outcome.httpStatus,
    };
    if (outcome.delivered) return { ...made, error: null, state: 'delivered', nextTryAt: null };
    const { error, retryAfterMs } = outcome;
    const failed = { tries: ping.tries + 1, dueSince: ping.dueSince, now, retryAfterMs };
    const nextTryAt = nextAttemptAt(this.settings, failed, this.randomness.fraction()) ?? null;
    return { ...made, error, state: nextTryAt === null ? 'parked' : 'pending', nextTryAt };
  }
}
