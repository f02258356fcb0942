import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';

/** Only the order, because the rows show what is due. */
export type PingJob = Readonly<{ orderId: string }>;

@Injectable()
export class PingQueue extends JobQueue<PingJob> {
  constructor(backend: QueueBackend) {
    super('pings', backend);
  }
}
