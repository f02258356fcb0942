import { Module } from '@nestjs/common';
import { WorkQueuesModule } from './work-queues.module.js';
import { StaffModule } from '#accounts/staff.module';
import { OrderQueues } from './queues/order-queues.js';
import { OrdersApiModule } from '#orders/orders-api.module';
import { OrderQueueController } from './queues/order-queue.controller.js';
import { QueueEscalationController } from './queues/queue-escalation.controller.js';
import { QueuesController } from './queues/queues.controller.js';
import { SnoozeController } from './queues/snooze.controller.js';

/** Work queues, for staff. */
@Module({
  imports: [StaffModule, OrdersApiModule, WorkQueuesModule],
  controllers: [QueuesController, QueueEscalationController, OrderQueueController, SnoozeController],
  providers: [OrderQueues],
})
export class QueuesApiModule {}
