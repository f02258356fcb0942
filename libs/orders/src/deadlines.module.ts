import { Module } from '@nestjs/common';
import { QueueGauge } from '#delivery-kit/queue-gauge';
import { OrdersModule } from './orders.module.js';
import { DeadlineQueue } from './deadlines/deadline-queue.js';
import { Deadlines } from './deadlines/deadlines.js';
import { DueOrders } from './deadlines/due-orders.js';
import { DuePayments } from './payments/due-payments.js';
import { PaymentQueue } from './payments/payment-queue.js';
import { PaymentSteps } from './payments/payment-steps.js';
import { PaymentWork } from './payments/payment-work.js';
import { RefundPace } from './payments/refund-pace.js';

const deadlines = [DueOrders, DeadlineQueue, Deadlines];
const payments = [DuePayments, PaymentQueue, PaymentSteps, PaymentWork, RefundPace];

/** What happens to orders at their deadlines, and to their money. */
@Module({ imports: [OrdersModule], providers: [...deadlines, ...payments] })
export class DeadlinesModule {
  constructor(gauge: QueueGauge, deadlines: DeadlineQueue, payments: PaymentQueue) {
    gauge.show(deadlines);
    gauge.show(payments);
  }
}
