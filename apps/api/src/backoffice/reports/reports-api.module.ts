import { Module } from '@nestjs/common';
import { ReportsModule } from '#orders/reports/reports.module';
import { AddressLimitModule } from '../../http/address-limit.module.js';
import { StaffModule } from '../../people/staff.module.js';
import { ReportSubscriptionsController } from './report-subscriptions.controller.js';
import { ReportsController } from './reports.controller.js';
import { UnsubscribeController } from './unsubscribe.controller.js';

/** Reports, and the subscriptions that mail them. */
@Module({
  imports: [StaffModule, ReportsModule, AddressLimitModule],
  controllers: [ReportsController, ReportSubscriptionsController, UnsubscribeController],
})
export class ReportsApiModule {}
