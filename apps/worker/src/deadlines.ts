import type { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '#runtime/clock';
import { CompletePayment } from '#orders/commands/complete-payment.handler';
import { ExpireConfirmation } from '#orders/commands/expire-confirmation.handler';
import { ReleasePayment } from '#orders/commands/release-payment.handler';
import type { DueOrder, DueOrders } from '#orders/read-models/due-orders';
import type { JobQueue } from '#delivery/queues/job-queue';

/** What a job of queue `deadlines` carries. */
export type DeadlineJob = DueOrder;

const AT_ONCE = 500;

// A provider that does not answer is asked again after 5 s, 10 s, 20 s … and then every 10 minutes.
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;

/** Rings for orders whose time has come, and does what is due. The row says what; the job is only the scheduler. */
export class Deadlines {
  private readonly waits = new Map<string, { until: number; waitMs: number }>();

  constructor(
    private readonly orders: DueOrders,
    private readonly queue: JobQueue<DeadlineJob>,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly paymentOutcomeAfterMs: number,
  ) {}

  /** Adds a job for each due order; one that waits in the queue already is not added twice. */
  async schedule(): Promise<void> {
    const due = await this.orders.find(this.clock.iso(), this.paymentOutcomeAfterMs, AT_ONCE);
    const ready = due.filter((order) => !this.waiting(order.id));
    await this.queue.add(ready.map((order) => ({ id: `${order.id}-${order.version}`, data: order })));
  }

  /** Does what is due. Throws what the command throws; the order then rests for a growing while. */
  async process(order: DeadlineJob): Promise<void> {
    if (this.waiting(order.id)) return;
    try {
      await this.commands.execute(commandFor(order));
      this.waits.delete(order.id);
    } catch (fault) {
      const waitMs = Math.min(LONGEST_WAIT_MS, (this.waits.get(order.id)?.waitMs ?? FIRST_WAIT_MS / 2) * 2);
      this.waits.set(order.id, { until: this.clock.monotonic() + waitMs, waitMs });
      throw fault;
    }
  }

  private waiting(orderId: string): boolean {
    return (this.waits.get(orderId)?.until ?? 0) > this.clock.monotonic();
  }
}

function commandFor({ id, version, due_for }: DueOrder): CompletePayment | ExpireConfirmation | ReleasePayment {
  // The id is made of what it is for, so that a repetition can be told in the log.
  const metadata = { transaction_id: `${due_for}-${id}-${version}`, actor: `system:${due_for}` };
  switch (due_for) {
    case 'payment_outcome':
      return new CompletePayment(id, metadata);
    case 'confirmation':
      return new ExpireConfirmation(id, version, metadata);
    case 'payment_release':
      return new ReleasePayment(id, metadata);
  }
}
