import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';

/** The data of a job: what is due is in the rows. */
export type PingJob = Readonly<{ orderId: string }>;

/** The queue whose jobs are orders with pings to deliver. */
@Injectable()
export class PingQueue extends JobQueue<PingJob> {
  constructor(backend: QueueBackend) {
    super('pings', backend);
  }
}
