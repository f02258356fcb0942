import { Module } from '@nestjs/common';
import { OrdersModule } from '#orders/orders.module';
import { AuditController } from './audit/audit.controller.js';
import { StaffModule } from '#accounts/staff.module';

/** The audit log, for staff. */
@Module({
  imports: [StaffModule, OrdersModule],
  controllers: [AuditController],
})
export class AuditApiModule {}
