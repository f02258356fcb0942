import { Module } from '@nestjs/common';
import { QueueGauge } from '#delivery/queues/queue-gauge';
import { OrdersModule } from '../orders.module.js';
import { DeadlineQueue } from './deadline-queue.js';
import { Deadlines } from './deadlines.js';
import { DueOrders } from './due-orders.js';

/** What happens to orders at their deadlines. */
@Module({ imports: [OrdersModule], providers: [DueOrders, DeadlineQueue, Deadlines] })
export class DeadlinesModule {
  constructor(gauge: QueueGauge, queue: DeadlineQueue) {
    gauge.show(queue);
  }
}
