import { Module } from '@nestjs/common';
import { FeedBacklog } from '#event-store/feed-backlog';
import { OrdersModule } from '#orders/orders.module';
import { ExportWork } from './files/export-work.js';
import { ImportWork } from './files/import-work.js';
import { JobFiles } from './files/job-files.js';
import { JobLinks } from './files/job-links.js';
import { OrderExport } from './files/order-export.js';
import { OrderImport } from './files/order-import.js';
import { TransferJobs } from './transfer-jobs.js';
import { TransferLeases } from './files/transfer-leases.js';
import { TransferRunner } from './files/transfer-runner.js';

const providers = [
  FeedBacklog,
  OrderExport,
  OrderImport,
  JobFiles,
  JobLinks,
  TransferJobs,
  TransferLeases,
  ExportWork,
  ImportWork,
  TransferRunner,
];

/** Files of orders: exports, imports, and the jobs that make and read them. */
@Module({ imports: [OrdersModule], providers, exports: providers })
export class TransferModule {}
