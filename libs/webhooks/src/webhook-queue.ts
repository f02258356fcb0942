import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';

/** The data of a job: what is due is in the rows. */
export type WebhookJob = Readonly<{ webhookId: string }>;

/** The queue whose jobs are webhooks with something to deliver. */
@Injectable()
export class WebhookQueue extends JobQueue<WebhookJob> {
  constructor(backend: QueueBackend) {
    super('webhooks', backend);
  }
}
