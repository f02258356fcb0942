import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { PeopleModule } from '#people/people.module';
import { OrdersModule } from '../orders.module.js';
import { DeskBatch } from './desk-batch.js';
import { EventNoteBatch } from './event-note-batch.js';
import { EventRuns } from './event-runs.js';
import { JobApproval } from './job-approval.js';
import { JobNotes } from './job-notes.js';
import { JobPreviews } from './job-preview.js';
import { JobRunner } from './job-runner.js';
import { JobSelection } from './job-selection.js';
import { JobStart } from './job-start.js';
import { JobUndo } from './job-undo.js';
import { Jobs } from './jobs.js';
import { OrderBatch } from './order-batch.js';
import { OrderJobs } from './order-jobs.js';

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
  EventNoteBatch,
  EventRuns,
  OrderJobs,
  JobRunner,
];

/** Changes of many orders at once. */
@Module({ imports: [OrdersModule, CatalogueModule, PeopleModule], providers, exports: providers })
export class JobsModule {}
