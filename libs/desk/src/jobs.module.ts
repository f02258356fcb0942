import { Module } from '@nestjs/common';
import { CatalogueModule } from '#discovery/catalogue.module';
import { PeopleModule } from '#accounts/people.module';
import { OrdersModule } from '#orders/orders.module';
import { DeskBatch } from './jobs/desk-batch.js';
import { ShowNoteBatch } from './jobs/show-note-batch.js';
import { ShowRuns } from './jobs/show-runs.js';
import { JobApproval } from './jobs/job-approval.js';
import { JobNotes } from './jobs/job-notes.js';
import { JobPreviews } from './jobs/job-preview.js';
import { JobRefundPace } from './jobs/job-refund-pace.js';
import { JobRunner } from './jobs/job-runner.js';
import { JobSelection } from './jobs/job-selection.js';
import { JobStart } from './jobs/job-start.js';
import { JobUndo } from './jobs/job-undo.js';
import { Jobs } from './jobs/jobs.js';
import { OrderBatch } from './jobs/order-batch.js';
import { OrderJobs } from './jobs/order-jobs.js';

const providers = [
  Jobs,
  JobStart,
  JobSelection,
  JobApproval,
  JobNotes,
  JobPreviews,
  JobUndo,
  OrderBatch,
  DeskBatch,
  ShowNoteBatch,
  ShowRuns,
  OrderJobs,
  JobRefundPace,
  JobRunner,
];

/** Changes of many orders at once. */
@Module({ imports: [OrdersModule, CatalogueModule, PeopleModule], providers, exports: providers })
export class JobsModule {}
