import { Injectable } from '@nestjs/common';
import type { JobProcessor } from '#delivery-kit/queue-task';
import { errorLog } from '#platform/error-log';
import { WebhookDelivery } from './webhook-delivery.js';
import type { WebhookJob } from './webhook-queue.js';
import { WebhookScheduler } from '../webhook-scheduler.js';

@Injectable()
export class WebhookProcessor implements JobProcessor<WebhookJob> {
  private readonly onError = errorLog('webhooks');

  constructor(
    private readonly delivery: WebhookDelivery,
    private readonly scheduler: WebhookScheduler,
  ) {}

  async process({ webhookId }: WebhookJob): Promise<void> {
    const again = await this.delivery.drain(webhookId);
    // If this fails, the sweep schedules it.
    if (again) await this.scheduler.schedule([again]).catch(this.onError);
  }

  stop(): void {
    this.delivery.stop();
  }
}
