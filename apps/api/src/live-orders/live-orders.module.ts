import { Module } from '@nestjs/common';
import { OrdersModule } from '#orders/orders.module';
import { StaffModule } from '../people/staff.module.js';
import { ReaderSharesModule } from '../stream/reader-shares.module.js';
import { LiveOrdersController } from './live-orders.controller.js';
import { LiveOrders } from './live-orders.js';

/** The changes of orders, for staff who look at them. */
@Module({
  imports: [StaffModule, OrdersModule, ReaderSharesModule],
  controllers: [LiveOrdersController],
  providers: [LiveOrders],
})
export class LiveOrdersModule {}
