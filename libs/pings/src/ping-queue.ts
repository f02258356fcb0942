import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';

/** Only the order, because the rows show what is due. */
export type PingJob = Readonly<{ orderId: string }>;

@Injectable()
export class PingQueue extends JobQueue<PingJob> {
  constructor(backend: QueueBackend) {
    super('pings', backend);
  }
}
