import { Module } from '@nestjs/common';
import { QueueGauge } from '#delivery-kit/queue-gauge';
import { OrdersModule } from './orders.module.js';
import { DeadlineQueue } from './deadlines/deadline-queue.js';
import { Deadlines } from './deadlines/deadlines.js';
import { DueOrders } from './deadlines/due-orders.js';

/** What happens to orders at their deadlines. */
@Module({ imports: [OrdersModule], providers: [DueOrders, DeadlineQueue, Deadlines] })
export class DeadlinesModule {
  constructor(gauge: QueueGauge, queue: DeadlineQueue) {
    gauge.show(queue);
  }
}
