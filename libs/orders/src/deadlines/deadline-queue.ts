import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';
import type { DueOrder } from './due-orders.js';

@Injectable()
export class DeadlineQueue extends JobQueue<DueOrder> {
  constructor(backend: QueueBackend) {
    super('deadlines', backend);
  }
}
