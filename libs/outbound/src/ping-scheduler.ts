import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { isStatusEvent } from '#domain/order-events';
import { orderIdOf } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import type { Clock } from '#base/clock';
import type { Wakeup } from './pings/ping-delivery.js';
import { overdueJobId } from '#delivery-kit/job-queue';
import { PingQueue } from './pings/ping-queue.js';

/** `attempts` counts all attempts ever made. Times are in milliseconds since the epoch. */
export type DuePing = Readonly<{ orderId: string; occurredAt: number; dueAt: number; attempts: number }>;

/** Adds a job for each order that must be checked. The id contains order and time, so feed, retry and sweep add only one job for a ping. */
@Injectable()
export class PingScheduler {
  constructor(
    @Inject(PingQueue) private readonly queue: Pick<PingQueue, 'add'>,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Throws if the queue's server is unreachable. The sweep then schedules the orders later. */
  async schedule(wakeups: readonly Wakeup[]): Promise<void> {
    const now = this.clock.now();
    const jobs = wakeups.map(({ orderId, at }) => ({ id: `${orderId}-${at}`, data: { orderId }, delayMs: at - now }));
    await this.queue.add(jobs);
  }

  /** For pings that are due by the database's clock. A delayed job depends on other clocks and may be late, so these ids differ. */
  async scheduleNow(due: readonly DuePing[]): Promise<void> {
    const now = this.clock.now();
    const jobs = due.map(({ orderId, occurredAt, dueAt, attempts }) => {
      const name = attempts === 0 ? `${orderId}-${occurredAt}` : `${orderId}-${dueAt}-due`;
      return { id: overdueJobId(name, dueAt, now), data: { orderId } };
    });
    await this.queue.add(jobs);
  }

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
