import { Module } from '@nestjs/common';
import { ReportsModule } from './reports.module.js';
import { AddressLimitModule } from '#web/address-limit.module';
import { StaffModule } from '#accounts/staff.module';
import { ReportSubscriptionsController } from './reports/report-subscriptions.controller.js';
import { ReportsController } from './reports/reports.controller.js';
import { UnsubscribeController } from './reports/unsubscribe.controller.js';

/** Reports, and the subscriptions that mail them. */
@Module({
  imports: [StaffModule, ReportsModule, AddressLimitModule],
  controllers: [ReportsController, ReportSubscriptionsController, UnsubscribeController],
})
export class ReportsApiModule {}
