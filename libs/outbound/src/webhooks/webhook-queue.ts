import { Injectable } from '@nestjs/common';
import { JobQueue } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';

/** Only the webhook, because the rows show what is due. */
export type WebhookJob = Readonly<{ webhookId: string }>;

@Injectable()
export class WebhookQueue extends JobQueue<WebhookJob> {
  constructor(backend: QueueBackend) {
    super('webhooks', backend);
  }
}
