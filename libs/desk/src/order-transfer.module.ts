import { Module } from '@nestjs/common';
import { FeedBacklog } from '#event-store/feed-backlog';
import { OrdersModule } from '#orders/orders.module';
import { ExportWork } from './files/export-work.js';
import { ImportWork } from './files/import-work.js';
import { JobFiles } from './files/job-files.js';
import { JobLinks } from './files/job-links.js';
import { OrderExport } from './files/order-export.js';
import { OrderImport } from './files/order-import.js';
import { OrderTransferJobs } from './order-transfer-jobs.js';
import { OrderTransferLeases } from './files/order-transfer-leases.js';
import { OrderTransferRunner } from './files/order-transfer-runner.js';

const providers = [
  FeedBacklog,
  OrderExport,
  OrderImport,
  JobFiles,
  JobLinks,
  OrderTransferJobs,
  OrderTransferLeases,
  ExportWork,
  ImportWork,
  OrderTransferRunner,
];

/** Files of orders: exports, imports, and the jobs that make and read them. */
@Module({ imports: [OrdersModule], providers, exports: providers })
export class OrderTransferModule {}
