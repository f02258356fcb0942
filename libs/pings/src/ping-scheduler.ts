import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { isStatusEvent } from '#domain/order/order-events';
import { orderIdOf } from '#domain/order/order-stream';
import type { RecordedEvent } from '#event-store/event';
import type { Clock } from '#runtime/clock';
import type { Wakeup } from './ping-delivery.js';
import { PingQueue } from './ping-queue.js';

/** A ping whose time has come. `attempts` are those that were ever made. Times in milliseconds since the epoch. */
export type DuePing = Readonly<{ orderId: string; occurredAt: number; dueAt: number; attempts: number }>;

// Longer than a job takes where all is well. A job can be lost while the queue still counts it as active, e.g. because the answer
// that gave it to a worker was lost with the connection: for the 15 s until that is noticed, nothing can be added under its name.
const RESCHEDULE_EVERY_MS = 5_000;

/**
 * Adds a job for each order whose pings are to be looked at. It is named after the order and the time, so whoever wakeups
 * for the same ping (the feed, a retry, the sweep) adds the same job, and only one of them counts.
 */
@Injectable()
export class PingScheduler {
  constructor(
    @Inject(PingQueue) private readonly queue: Pick<PingQueue, 'add'>,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Throws when the queue's server is away; the sweep wakeups again. */
  async schedule(wakeups: readonly Wakeup[]): Promise<void> {
    const now = this.clock.now();
    const jobs = wakeups.map(({ orderId, at }) => ({ id: `${orderId}-${at}`, data: { orderId }, delayMs: at - now }));
    await this.queue.add(jobs);
  }

  /**
   * For pings that are due now, whatever the clocks of the processes say. The queue keeps a delayed job by the clocks of those
   * who add it and who take it, so the job of a retry gets a name of its own here: the delayed one may come too late.
   */
  async scheduleNow(due: readonly DuePing[]): Promise<void> {
    const now = this.clock.now();
    const jobs = due.map(({ orderId, occurredAt, dueAt, attempts }) => {
      const name = attempts === 0 ? `${orderId}-${occurredAt}` : `${orderId}-${dueAt}-due`;
      const late = Math.floor((now - dueAt) / RESCHEDULE_EVERY_MS);
      return { id: late > 0 ? `${name}-${late}` : name, data: { orderId } };
    });
    await this.queue.add(jobs);
  }

  /** Handles the events of the feed: wakeups once for each order that has a new status. */
  async scheduleFor(events: readonly RecordedEvent[]): Promise<void> {
    const first = new Map<string, DuePing>();
    for (const event of events) {
      const orderId = orderIdOf(event.stream);
      if (orderId === undefined || first.has(orderId) || !isStatusEvent(event)) continue;
      const occurredAt = Date.parse(event.recorded_at);
      first.set(orderId, { orderId, occurredAt, dueAt: occurredAt, attempts: 0 });
    }
    await this.scheduleNow([...first.values()]);
  }
}
