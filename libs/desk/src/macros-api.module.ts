import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { MailModule } from '#fulfilment/mail.module';
import { OrdersModule } from '#orders/orders.module';
import { JobsModule } from './jobs.module.js';
import { MacroDesk } from './macros/macro-desk.js';
import { MacroRunner } from './macros/macro-runner.js';
import { MacroSteps } from './macros/macro-steps.js';
import { Macros } from './macros/macros.js';
import { MacrosController } from './macros/macros.controller.js';
import { OrderMacrosController } from './macros/order-macros.controller.js';
import { WorkQueuesModule } from './work-queues.module.js';

/** Several steps on an order by one act, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, MailModule, JobsModule, WorkQueuesModule],
  controllers: [MacrosController, OrderMacrosController],
  providers: [Macros, MacroDesk, MacroSteps, MacroRunner],
})
export class MacrosApiModule {}
