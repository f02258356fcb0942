import { Module } from '@nestjs/common';
import { FeedBacklog } from '#event-store/feed-backlog';
import { OrdersModule } from '../orders.module.js';
import { ExportWork } from './export-work.js';
import { ImportWork } from './import-work.js';
import { JobFiles } from './job-files.js';
import { JobLinks } from './job-links.js';
import { OrderExport } from './order-export.js';
import { OrderImport } from './order-import.js';
import { TransferJobs } from './transfer-jobs.js';
import { TransferLeases } from './transfer-leases.js';
import { TransferRunner } from './transfer-runner.js';

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
