import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { Pool } from 'pg';
import { Catalogue } from '#catalogue/catalogue';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseEpoch } from '#database/epoch';
import { PlatformReads } from '#pings/repair/platform-reads';
import { EventLog } from '#event-store/event-log';
import { ListingImport } from '#orders/listings/listing-import';
import { ListingQueries } from '#orders/listings/listing-queries';
import { HealthController } from '#operations/health.controller';
import type { Logger } from '#operations/logger';
import { MetricsController } from '#operations/metrics.controller';
import { PingQueries } from '#pings/ping-queries';
import { ClientRegistry } from '#platform-auth/clients';
import { StaffToken } from '#platform-auth/staff-token';
import { RequestVerifier } from '#platform-auth/verify-request';
import { OrderQueries } from '#orders/read-models/order-queries';
import { PurchaseQueries } from '#orders/read-models/purchase-queries';
import { FoundationModule, LazyCommitPool } from '#wiring/foundation.module';
import { Gauges } from '#wiring/gauges';
import { OrderCoreModule } from '#wiring/order-core.module';
import { QueuesModule } from '#wiring/queues.module';
import { RepairModule } from '#wiring/repair.module';
import { WebhookGauges } from '#wiring/webhook-gauges';
import { WebhooksModule } from '#wiring/webhooks.module';
import { DiscoveryKeysController } from './backoffice/discovery-keys.controller.js';
import { catalogueControllers } from './backoffice/catalogue.controllers.js';
import { DeliveryController } from './backoffice/delivery.controller.js';
import { BackofficeListingsController } from './backoffice/listings.controller.js';
import { OrderSearch } from './backoffice/order-search.js';
import { OrderView } from './backoffice/order-view.js';
import { OrdersController } from './backoffice/orders.controller.js';
import { NoticesController } from './backoffice/notices.controller.js';
import { PingsController } from './backoffice/pings.controller.js';
import { ReplaysController } from './backoffice/replays.controller.js';
import { WebhookDeliveriesController } from './backoffice/webhook-deliveries.controller.js';
import { WebhooksController } from './backoffice/webhooks.controller.js';
import { StreamTokensController } from './backoffice/stream-tokens.controller.js';
import { ListingsController } from './checkout/listings.controller.js';
import { PurchaseReading } from './checkout/purchase-reading.js';
import { PurchaseView } from './checkout/purchase-view.js';
import { PurchasesController } from './checkout/purchases.controller.js';
import { RateLimit } from './checkout/rate-limit.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { ErrorFilter } from './http/error.filter.js';
import { ErrorWriter } from './http/written-error.js';
import { SurfaceErrors } from './surface-errors.js';
import { JsonBodyPipe } from './http/json-body.pipe.js';
import { HomeController } from './home/home.controller.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { PingStreamController } from './stream/ping-stream.controller.js';
import { streamProviders } from './stream/stream-providers.js';

const authentication = [
  RateLimit,
  {
    provide: RequestVerifier,
    inject: [ClientRegistry, Settings],
    useFactory: (clients: ClientRegistry, settings: Settings) => new RequestVerifier(clients, settings.CHECKOUT_SCHEME),
  },
  {
    provide: StaffToken,
    inject: [Settings],
    useFactory: (settings: Settings) => new StaffToken(settings.BACKOFFICE_TOKEN),
  },
];

const reading = [
  PurchaseQueries,
  PurchaseView,
  PurchaseReading,
  { provide: PlatformReads, inject: [LazyCommitPool], useFactory: (pool: Pool) => new PlatformReads(pool) },
  OrderQueries,
  OrderView,
  OrderSearch,
  ListingImport,
  ListingQueries,
  Catalogue,
  { provide: EventLog, inject: [Pool], useFactory: (pool: Pool) => new EventLog(pool, (ms) => pause(ms)) },
  {
    provide: PingQueries,
    inject: [Pool, DatabaseClock],
    useFactory: (pool: Pool, clock: DatabaseClock) => new PingQueries(pool, clock),
  },
];

/** The HTTP surfaces: checkout for the platform, discovery for the public, back office for staff, the stream for integrations, health and metrics for operations. */
@Module({
  imports: [OrderCoreModule, QueuesModule, WebhooksModule, RepairModule, DiscoveryModule],
  controllers: [
    ListingsController,
    PurchasesController,
    OrdersController,
    BackofficeListingsController,
    ...catalogueControllers,
    PingsController,
    WebhooksController,
    WebhookDeliveriesController,
    NoticesController,
    DeliveryController,
    ReplaysController,
    PingStreamController,
    StreamTokensController,
    DiscoveryKeysController,
    HealthController,
    HomeController,
    MetricsController,
  ],
  providers: [
    ...authentication,
    ...reading,
    ...streamProviders,
    Gauges,
    WebhookGauges,
    { provide: ErrorWriter, useClass: SurfaceErrors },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: JsonBodyPipe },
  ],
})
export class ApiModule {
  constructor(epoch: DatabaseEpoch, reads: PlatformReads) {
    epoch.onChange(() => reads.forget());
  }

  static for(settings: Settings, logger: Logger): DynamicModule {
    const sandbox = settings.PLATFORM_URL === undefined ? [SandboxModule] : [];
    return { module: ApiModule, imports: [FoundationModule.for(settings, logger, 'api'), ...sandbox] };
  }
}
