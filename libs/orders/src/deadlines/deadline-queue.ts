import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';
import type { DueOrder } from './due-orders.js';

@Injectable()
export class DeadlineQueue extends JobQueue<DueOrder> {
  constructor(backend: QueueBackend) {
    super('deadlines', backend);
  }
}
