import { Module } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseEpoch } from '#database/epoch';
import { Metrics } from '#platform/metrics';
import { Randomness } from '#base/randomness';
import type { DrainDependencies } from './webhooks/endpoint-drain.js';
import { EndpointRecord } from './webhooks/endpoint-record.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.js';
import { WebhookLedger } from './webhooks/webhook-ledger.js';
import { WebhookScheduler } from './webhook-scheduler.js';
import { Destinations } from './webhooks/destinations.js';
import { WebhookSettings } from './webhooks/webhook-settings.js';
import { WebhookSweep } from './webhooks/webhook-sweep.js';
import { WebhooksModule } from './webhooks.module.js';

// A receiver often gets the next delivery within this time.
const LINGER_MS = 1_000;

type DeliveryParts = [
  WebhookLedger,
  Destinations,
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
    Destinations,
    EndpointRecord,
    DatabaseClock,
    Randomness,
    WebhookSettings,
    Metrics,
    DatabaseEpoch,
  ],
  useFactory: (...[ledger, destinations, record, clock, randomness, settings, metrics, epoch]: DeliveryParts) => {
    const dependencies: DrainDependencies = {
      ledger,
      destinations,
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
  providers: [WebhookLedger, EndpointRecord, delivery, WebhookScheduler, WebhookSweep],
  exports: [WebhookScheduler],
})
export class WebhookDeliveryModule {}
