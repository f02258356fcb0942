import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { OrdersModule } from '#orders/orders.module';
import { RefundApproval } from './refunds/refund-approval.js';
import { Refunds } from './refunds/refunds.js';
import { RefundsController } from './refunds/refunds.controller.js';

/** Refunds of orders, for staff. */
@Module({
  imports: [StaffModule, OrdersModule],
  controllers: [RefundsController],
  providers: [Refunds, RefundApproval],
})
export class RefundsApiModule {}
