import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';

/** The data of a job: the received ping and the number of the read, from 1. */
export type ReadJob = Readonly<{ pingId: number; read: number }>;

/** The queue whose jobs are pings that the sandbox platform reads the purchase of. */
@Injectable()
export class ReadQueue extends JobQueue<ReadJob> {
  constructor(backend: QueueBackend) {
    super('sandbox-reads', backend);
  }
}
