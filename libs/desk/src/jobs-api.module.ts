import { Module } from '@nestjs/common';
import { CatalogueModule } from '#discovery/catalogue.module';
import { JobsModule } from './jobs.module.js';
import { OrdersModule } from '#orders/orders.module';
import { OrderTransferModule } from './order-transfer.module.js';
import { StaffModule } from '#accounts/staff.module';
import { JobApprovers } from './jobs/job-approvers.js';
import { JobChecks } from './jobs/job-checks.js';
import { JobFileLinks } from './jobs/job-file-links.js';
import { DownloadsController, JobFilesController } from './jobs/job-files.controller.js';
import { JobImportsController } from './jobs/job-imports.controller.js';
import { JobRequests } from './jobs/job-requests.js';
import { OrderTransfers, ShownJobs } from './jobs/order-transfers.js';
import { JobView } from './jobs/job-view.js';
import { JobsController } from './jobs/jobs.controller.js';

/** Jobs on many orders and files of orders, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, JobsModule, OrderTransferModule, CatalogueModule],
  controllers: [JobImportsController, JobsController, JobFilesController, DownloadsController],
  providers: [JobRequests, JobChecks, JobApprovers, OrderTransfers, ShownJobs, JobView, JobFileLinks],
})
export class JobsApiModule {}
