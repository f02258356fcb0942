import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';

/** Only the webhook, because the rows show what is due. */
export type WebhookJob = Readonly<{ webhookId: string }>;

@Injectable()
export class WebhookQueue extends JobQueue<WebhookJob> {
  constructor(backend: QueueBackend) {
    super('webhooks', backend);
  }
}
