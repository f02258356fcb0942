import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { InvalidValue } from '#base/caller-errors';
import { DatabaseClock } from '#database/database-clock';
import { QueueCounts } from './queue-counts.js';
import { WorkItems } from './work-items.js';

const MINUTE_MS = 60_000;

/** Hides orders from their queues for a time. The next counts of the queues know of it. */
@Injectable()
export class Snoozes {
  constructor(
    private readonly items: WorkItems,
    private readonly counts: QueueCounts,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /**
   * @param until ISO 8601; null brings the order back
   * @returns false if there is no such order
   * @throws InvalidValue unless the time is to come, DomainError if the order is in no queue
   */
  async snooze(orderId: string, until: string | null): Promise<boolean> {
    if (until !== null && Date.parse(until) <= this.clock.now()) {
      throw new InvalidValue('until', 'must be in the future');
    }
    const isFound = await this.items.snooze(orderId, until);
    this.counts.forget();
    return isFound;
  }

  /** The same from now on. @returns until when (ISO 8601); undefined if there is no such order */
  async snoozeFor(orderId: string, minutes: number): Promise<string | undefined> {
    const until = new Date(this.clock.now() + minutes * MINUTE_MS).toISOString();
    return (await this.snooze(orderId, until)) ? until : undefined;
  }
}
