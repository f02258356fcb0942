import { Module } from '@nestjs/common';
import { WorkQueuesModule } from '#orders/queues/work-queues.module';
import { StaffModule } from '../people/staff.module.js';
import { OrderQueues } from './order-queues.js';
import { OrdersApiModule } from './orders-api.module.js';
import { QueueEscalationController } from './queue-escalation.controller.js';
import { QueuesController } from './queues.controller.js';
import { SnoozeController } from './snooze.controller.js';

/** Work queues, for staff. */
@Module({
  imports: [StaffModule, OrdersApiModule, WorkQueuesModule],
  controllers: [QueuesController, QueueEscalationController, SnoozeController],
  providers: [OrderQueues],
})
export class QueuesApiModule {}
