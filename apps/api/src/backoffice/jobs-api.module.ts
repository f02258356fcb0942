import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { JobsModule } from '#orders/jobs/jobs.module';
import { OrdersModule } from '#orders/orders.module';
import { TransferModule } from '#orders/transfer/transfer.module';
import { StaffModule } from '../people/staff.module.js';
import { JobApprovers } from './job-approvers.js';
import { JobChecks } from './job-checks.js';
import { JobFileLinks } from './job-file-links.js';
import { DownloadsController, JobFilesController } from './job-files.controller.js';
import { JobImportsController } from './job-imports.controller.js';
import { JobRequests } from './job-requests.js';
import { JobTransfers, ShownJobs } from './job-transfers.js';
import { JobView } from './job-view.js';
import { JobsController } from './jobs.controller.js';

/** Jobs on many orders and files of orders, for staff. */
@Module({
  imports: [StaffModule, OrdersModule, JobsModule, TransferModule, CatalogueModule],
  controllers: [JobImportsController, JobsController, JobFilesController, DownloadsController],
  providers: [JobRequests, JobChecks, JobApprovers, JobTransfers, ShownJobs, JobView, JobFileLinks],
})
export class JobsApiModule {}
