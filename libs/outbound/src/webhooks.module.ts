import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery-kit/address-guard';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { Signers } from './endpoint.js';
import { Notices } from './webhooks/notices.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookGauges } from './webhooks/webhook-gauges.js';
import { WebhookQueue } from './webhooks/webhook-queue.js';
import { Destinations } from './webhooks/destinations.js';
import { WebhookSender } from './webhooks/webhook-sender.js';
import { WebhookSettings } from './webhooks/webhook-settings.js';
import { TestDeliveries } from './webhooks/test-deliveries.js';
import { Webhooks } from './webhooks.js';

type WebhooksParts = [Pool, AddressGuard, Sealer, DatabaseClock, Ids, Randomness];

const providers = [
  WebhookSettings,
  {
    provide: AddressGuard,
    inject: [Settings],
    useFactory: ({ WEBHOOK_ALLOW_PRIVATE }: Settings) => new AddressGuard(WEBHOOK_ALLOW_PRIVATE),
  },
  {
    provide: Webhooks,
    inject: [Pool, AddressGuard, Sealer, DatabaseClock, Ids, Randomness],
    useFactory: (...[pool, guard, sealer, clock, ids, randomness]: WebhooksParts) =>
      new Webhooks(pool, guard, sealer, clock, { ids, randomness }),
  },
  WebhookSender,
  Destinations,
  Signers,
  TestDeliveries,
  WebhookDeliveries,
  WebhookQueue,
  Notices,
];

/** The api sends test deliveries, and the worker sends all others. */
@Module({ providers: [...providers, WebhookGauges], exports: providers })
export class WebhooksModule implements OnApplicationShutdown {
  constructor(private readonly destinations: Destinations) {}

  async onApplicationShutdown(): Promise<void> {
    await this.destinations.close();
  }
}
