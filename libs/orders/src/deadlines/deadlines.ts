import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import type { JobProcessor } from '#delivery/queues/queue-task';
import type { Clock } from '#runtime/clock';
import { CompletePayment } from '../commands/complete-payment.handler.js';
import { ExpireConfirmation } from '../commands/expire-confirmation.handler.js';
import { ExpireReplacement } from '../commands/expire-replacement.handler.js';
import { ReleasePayment } from '../commands/release-payment.handler.js';
import { DeadlineQueue } from './deadline-queue.js';
import { type DueOrder, DueOrders } from './due-orders.js';

const AT_ONCE = 500;

// The waits are 5 s, 10 s, 20 s … and then 10 minutes.
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;

/** A job is only a wake-up. The row says what is due. */
@Injectable()
export class Deadlines implements JobProcessor<DueOrder> {
  private readonly waits = new Map<string, { until: number; waitMs: number }>();

  constructor(
    private readonly orders: DueOrders,
    private readonly queue: DeadlineQueue,
    private readonly commands: CommandBus,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** A job that already waits is not added twice. */
  async schedule(): Promise<void> {
    const due = await this.orders.find(this.clock.iso(), this.settings.PAYMENT_OUTCOME_AFTER_MS, AT_ONCE);
    const ready = due.filter((order) => !this.waiting(order.id));
    await this.queue.add(ready.map((order) => ({ id: `${order.id}-${order.version}`, data: order })));
  }

  /** Throws what the command throws. The next attempt then waits longer. */
  async process(order: DueOrder): Promise<void> {
    if (this.waiting(order.id)) return;
    try {
      await this.commands.execute(commandFor(order));
      this.waits.delete(order.id);
    } catch (error) {
      const waitMs = Math.min(LONGEST_WAIT_MS, (this.waits.get(order.id)?.waitMs ?? FIRST_WAIT_MS / 2) * 2);
      this.waits.set(order.id, { until: this.clock.monotonic() + waitMs, waitMs });
      throw error;
    }
  }

  private waiting(orderId: string): boolean {
    return (this.waits.get(orderId)?.until ?? 0) > this.clock.monotonic();
  }
}

function commandFor({
  id,
  version,
  due_for,
}: DueOrder): CompletePayment | ExpireConfirmation | ExpireReplacement | ReleasePayment {
  // The id shows a repetition in the log.
  const metadata = { transaction_id: `${due_for}-${id}-${version}`, actor: `system:${due_for}` };
  switch (due_for) {
    case 'payment_outcome':
      return new CompletePayment(id, metadata);
    case 'confirmation':
      return new ExpireConfirmation(id, version, metadata);
    case 'replacement':
      return new ExpireReplacement(id, version, metadata);
    case 'payment_release':
      return new ReleasePayment(id, metadata);
  }
}
