import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import type { JobProcessor } from '#delivery-kit/queue-task';
import type { Clock } from '#base/clock';
import { CompletePayment } from '../commands/complete-payment.handler.js';
import { ExpireConfirmation } from '../commands/expire-confirmation.handler.js';
import { ExpireReplacement } from '../commands/expire-replacement.handler.js';
import { ExpireTransfers } from '../commands/expire-transfers.handler.js';
import { DeadlineQueue } from './deadline-queue.js';
import { type DueOrder, DueOrders } from './due-orders.js';
import { OrderWaits } from './order-waits.js';

const AT_ONCE = 500;

// How long before its deadline an order gets its delayed job. The sweep does not depend on it.
const PLANNED_BEFORE_MS = 60_000;
const PLANNED_AT_ONCE = 5_000;

// Clocks that are set by the network differ by less.
const MOMENT_MS = 1_000;

// The waits are 5 s, 10 s, 20 s … and then 10 minutes.
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;

/** A job is only a wake-up. The row says what is due, and the clock of the database says whether it is. */
@Injectable()
export class Deadlines implements JobProcessor<DueOrder> {
  private readonly waits: OrderWaits;
  /** The jobs that this process has planned, with the time at which they run. */
  private readonly planned = new Map<string, number>();

  constructor(
    private readonly orders: DueOrders,
    private readonly queue: DeadlineQueue,
    private readonly commands: CommandBus,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly settings: Settings,
  ) {
    this.waits = new OrderWaits(clock, { first: FIRST_WAIT_MS, longest: LONGEST_WAIT_MS });
  }

  /** A job that already waits is not added twice. */
  async schedule(): Promise<void> {
    // Hundreds of orders that failed and wait would otherwise keep the others from being found.
    const limits = { limit: AT_ONCE, except: this.waits.orders };
    const due = await this.orders.find(this.clock.iso(), this.settings.PAYMENT_OUTCOME_AFTER_MS, limits);
    await this.queue.add(due.map((order) => ({ id: `${order.id}-${order.version}`, data: order })));
    await this.plan();
  }

  /**
   * Gives each order whose deadline is near a delayed job, so that it ends on time and not with the next sweep. The queue delays by the
   * clock of a process, and Redis may lose the job: the sweep adds another one under another name once the deadline has passed.
   */
  private async plan(): Promise<void> {
    const now = this.clock.now();
    for (const [id, at] of this.planned) if (at <= now) this.planned.delete(id);
    const to = new Date(now + PLANNED_BEFORE_MS).toISOString();
    const next = await this.orders.findNext(new Date(now).toISOString(), to, PLANNED_AT_ONCE);
    const jobs = next
      .map((data) => ({ id: `${data.id}-${data.version}-planned`, data, at: Date.parse(data.due_at) }))
      .filter(({ id }) => !this.planned.has(id));
    await this.queue.add(jobs.map(({ id, data, at }) => ({ id, data, delayMs: at - now })));
    for (const { id, at } of jobs) this.planned.set(id, at);
  }

  /** Throws what the command throws. The next attempt then waits longer. */
  async process(order: DueOrder): Promise<void> {
    if (this.waits.has(order.id) || !(await this.untilDue(order))) return;
    await this.waits.attempt(order.id, () => this.commands.execute(commandFor(order)));
  }

  /**
   * A job that was planned by another clock may come early. A moment is waited for. Otherwise the answer is false, and the sweep adds another
   * job once the deadline has passed: a job that adds the next one would go round between workers whose clocks differ.
   */
  private async untilDue({ due_at }: DueOrder): Promise<boolean> {
    const earlyMs = Date.parse(due_at) - this.clock.now();
    if (earlyMs > 0 && earlyMs <= MOMENT_MS) await wait(earlyMs);
    return Date.parse(due_at) <= this.clock.now();
  }
}

type DeadlineCommand = CompletePayment | ExpireConfirmation | ExpireReplacement | ExpireTransfers;

function commandFor({ id, version, due_for, due_at: at }: DueOrder): DeadlineCommand {
  // The id shows a repetition in the log.
  const metadata = { transaction_id: `${due_for}-${id}-${version}`, actor: `system:${due_for}` };
  switch (due_for) {
    case 'payment_outcome':
      return new CompletePayment(id, metadata);
    case 'confirmation':
      return new ExpireConfirmation(id, version, metadata);
    case 'replacement':
      return new ExpireReplacement(id, version, metadata);
    case 'transfer':
      return new ExpireTransfers(id, version, at, metadata);
  }
}
