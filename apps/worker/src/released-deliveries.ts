import { Injectable } from '@nestjs/common';
import { PingScheduler } from '#outbound/ping-scheduler';
import { PLATFORM } from '#outbound/replay-selection';
import { type Released, ReleaseScheduler } from '#outbound/replay-work';
import { WebhookScheduler } from '#outbound/webhook-scheduler';

/** Schedules what a replay has released: pings for the platform, deliveries for a webhook. */
@Injectable()
export class ReleasedDeliveries extends ReleaseScheduler {
  constructor(
    private readonly pings: PingScheduler,
    private readonly webhooks: WebhookScheduler,
  ) {
    super();
  }

  async schedule({ endpoint, due }: Released): Promise<void> {
    if (endpoint === PLATFORM) return await this.pings.schedule(due);
    await this.webhooks.schedule(due.slice(0, 1).map(({ at }) => ({ webhookId: endpoint, at })));
  }
}
