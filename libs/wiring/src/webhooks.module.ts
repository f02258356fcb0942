import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Ids } from '#runtime/ids';
import { Randomness } from '#runtime/randomness';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { Logger } from '#operations/logger';
import { Sealer } from '#crypto/sealing';
import { AddressGuard } from '#delivery/address-guard';
import { Signers } from '#webhooks/endpoint';
import { Notices } from '#webhooks/notices';
import { WebhookDeliveries } from '#webhooks/webhook-deliveries';
import { WebhookSender } from '#webhooks/webhook-sender';
import { WebhookTrials } from '#webhooks/webhook-trial';
import { Webhooks } from '#webhooks/webhooks';

/** Deliveries to one receiver at once: a receiver that hangs has no more than these, for as long as a time-out takes. */
export const DELIVERIES_AT_ONCE = 10;

const providers = [
  {
    provide: AddressGuard,
    inject: [Settings],
    useFactory: (settings: Settings) => new AddressGuard(settings.WEBHOOK_ALLOW_PRIVATE),
  },
  {
    provide: WebhookSender,
    inject: [AddressGuard, DatabaseClock, Settings],
    useFactory: (guard: AddressGuard, clock: DatabaseClock, settings: Settings) =>
      new WebhookSender(guard, clock, { timeoutMs: settings.PING_TIMEOUT_MS, connections: DELIVERIES_AT_ONCE }),
  },
  {
    provide: Signers,
    inject: [Sealer, Logger],
    useFactory: (sealer: Sealer, logger: Logger) =>
      new Signers(sealer, (secretId, fault) => logger.error({ part: 'webhooks', secret_id: secretId }, fault.message)),
  },
  {
    provide: Webhooks,
    inject: [Pool, AddressGuard, Sealer, DatabaseClock, Ids, Randomness],
    useFactory: (
      ...[pool, guard, sealer, clock, ids, randomness]: [Pool, AddressGuard, Sealer, DatabaseClock, Ids, Randomness]
    ) => new Webhooks(pool, guard, sealer, clock, { ids, randomness }),
  },
  {
    provide: WebhookTrials,
    inject: [Pool, Signers, WebhookSender, DatabaseClock, Ids],
    useFactory: (...parts: [Pool, Signers, WebhookSender, DatabaseClock, Ids]) => new WebhookTrials(...parts),
  },
  {
    provide: WebhookDeliveries,
    inject: [Pool, DatabaseClock],
    useFactory: (pool: Pool, clock: DatabaseClock) => new WebhookDeliveries(pool, clock),
  },
  { provide: Notices, inject: [Pool], useFactory: (pool: Pool) => new Notices(pool) },
];

/** Webhooks as staff see them, and what sends to them: shared by the api that tries them out and the worker that delivers. */
@Module({ providers, exports: providers })
export class WebhooksModule implements OnApplicationShutdown {
  constructor(private readonly sender: WebhookSender) {}

  async onApplicationShutdown(): Promise<void> {
    await this.sender.close();
  }
}
