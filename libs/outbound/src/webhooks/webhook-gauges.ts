import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '#platform/metrics';
import { WebhookDeliveries } from '../webhook-deliveries.js';
import { WebhookQueue } from './webhook-queue.js';

@Injectable()
export class WebhookGauges implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly deliveries: WebhookDeliveries,
    @Inject(WebhookQueue) private readonly queue: WebhookQueue,
  ) {}

  onModuleInit(): void {
    const { metrics, deliveries, queue } = this;
    metrics.gauge(
      'willcall_webhook_deliveries_pending',
      'Pending deliveries to webhooks by the state of the endpoint; open: held back by its breaker',
      'endpoint_state',
      async () => ({ ...(await deliveries.counts()).pending }),
    );
    metrics.gauge(
      'willcall_oldest_pending_webhook_seconds',
      'How long the oldest pending delivery to an active webhook has waited',
      undefined,
      async () => ({ value: (await deliveries.counts()).oldestMs / 1_000 }),
    );
    metrics.gauge('willcall_webhook_queue_jobs', 'Jobs of the queue webhooks by state', 'state', async () => ({
      ...(await queue.depth()),
    }));
  }
}
