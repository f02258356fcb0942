import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { DueOrders } from '#orders/read-models/due-orders';
import { errorLog } from '#delivery/queues/error-log';
import { JobWorker } from '#delivery/queues/job-worker';
import { QueueBackend } from '#delivery/queues/queue-backend';
import { Repeater } from '#runtime/repeater';
import { DeadlineQueue } from '#wiring/queues.module';
import { type DeadlineJob, Deadlines } from './deadlines.js';

// Each may wait for the payment provider; there are never many at once.
const CONCURRENCY = 10;

export const deadlineProviders: Provider[] = [
  {
    provide: Deadlines,
    inject: [DueOrders, DeadlineQueue, CommandBus, DatabaseClock, Settings],
    useFactory: (
      ...[orders, queue, commands, clock, settings]: [DueOrders, DeadlineQueue, CommandBus, DatabaseClock, Settings]
    ) => new Deadlines(orders, queue, commands, clock, settings.PAYMENT_OUTCOME_AFTER_MS),
  },
];

/** Does what is due about orders: payments without an outcome, confirmations that did not come, money to give back. */
@Injectable()
export class DeadlineWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly pauseMs: number;
  private readonly worker: JobWorker<DeadlineJob>;
  private readonly sweep: Repeater;

  constructor(
    private readonly settings: Settings,
    backend: QueueBackend,
    deadlines: Deadlines,
  ) {
    this.pauseMs = settings.SWEEP_EVERY_MS;
    this.worker = new JobWorker(backend, {
      name: 'deadlines',
      process: (order) => deadlines.process(order),
      concurrency: CONCURRENCY,
      report: errorLog('deadlines'),
    });
    this.sweep = new Repeater(() => deadlines.schedule(), settings.SWEEP_EVERY_MS, errorLog('deadline sweep'));
  }

  get loops() {
    return { 'deadline sweep': this.sweep };
  }

  onApplicationBootstrap(): void {
    this.worker.start();
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
    await this.worker.stop(this.settings.SHUTDOWN_GRACE_MS);
  }
}
