import { Module } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseEpoch } from '#database/epoch';
import { Metrics } from '#operations/metrics';
import { Randomness } from '#runtime/randomness';
import type { DrainDependencies } from './endpoint-drain.js';
import { EndpointRecord } from './endpoint-record.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { WebhookLedger } from './webhook-ledger.js';
import { WebhookScheduler } from './webhook-scheduler.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookSettings } from './webhook-settings.js';
import { WebhookSweep } from './webhook-sweep.js';
import { WebhookProcessor } from './webhook.processor.js';
import { WebhooksModule } from './webhooks.module.js';

// A receiver often gets the next delivery within this time.
const LINGER_MS = 1_000;

type DeliveryParts = [
  WebhookLedger,
  WebhookSender,
  EndpointRecord,
  DatabaseClock,
  Randomness,
  WebhookSettings,
  Metrics,
  DatabaseEpoch,
];

const delivery = {
  provide: WebhookDelivery,
  inject: [
    WebhookLedger,
    WebhookSender,
    EndpointRecord,
    DatabaseClock,
    Randomness,
    WebhookSettings,
    Metrics,
    DatabaseEpoch,
  ],
  useFactory: (...[ledger, sender, record, clock, randomness, settings, metrics, epoch]: DeliveryParts) => {
    const dependencies: DrainDependencies = {
      ledger,
      sender,
      clock,
      randomness,
      retry: settings.retry,
      onAttempt: (outcome) => metrics.webhookAttempts.inc({ outcome }),
      epoch: () => epoch.current,
      // Not while other endpoints may be waiting for a worker.
      lingerMs: () => (webhookDelivery.count * 2 < settings.concurrency ? LINGER_MS : 0),
    };
    const webhookDelivery: WebhookDelivery = new WebhookDelivery(dependencies, record, settings);
    return webhookDelivery;
  },
};

@Module({
  imports: [WebhooksModule],
  providers: [WebhookLedger, EndpointRecord, delivery, WebhookScheduler, WebhookSweep, WebhookProcessor],
  exports: [WebhookScheduler],
})
export class WebhookDeliveryModule {}
