import { Module } from '@nestjs/common';
import { OrdersModule } from './orders.module.js';
import { StaffModule } from '#accounts/staff.module';
import { ReaderSharesModule } from '#outbound/reader-shares.module';
import { LiveOrdersController } from './live/live-orders.controller.js';
import { LiveOrders } from './live/live-orders.js';
import { LivePeople } from './live/live-people.js';

/** The changes of orders, for staff who look at them. */
@Module({
  imports: [StaffModule, OrdersModule, ReaderSharesModule],
  controllers: [LiveOrdersController],
  providers: [LiveOrders, LivePeople],
})
export class LiveOrdersModule {}
