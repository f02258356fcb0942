import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';

/** `read` counts the reads of a ping from 1. */
export type ReadJob = Readonly<{ pingId: number; read: number }>;

@Injectable()
export class ReadQueue extends JobQueue<ReadJob> {
  constructor(backend: QueueBackend) {
    super('sandbox-reads', backend);
  }
}
