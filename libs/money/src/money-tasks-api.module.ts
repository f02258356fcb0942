import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { OrdersModule } from '#orders/orders.module';
import { MoneyTasksModule } from './money-tasks.module.js';
import { MoneyTasks } from './tasks/money-tasks.js';
import { MoneyTasksController } from './tasks/money-tasks.controller.js';

/** Work about money, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, MoneyTasksModule],
  controllers: [MoneyTasksController],
  providers: [MoneyTasks],
})
export class MoneyTasksApiModule {}
