import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from '#operations/health.controller';
import type { Logger } from '#operations/logger';
import { MetricsController } from '#operations/metrics.controller';
import type { Settings } from '#config/settings';
import { DueOrders } from '#orders/read-models/due-orders';
import { FoundationModule } from '#wiring/foundation.module';
import { Gauges } from '#wiring/gauges';
import { OrderCoreModule } from '#wiring/order-core.module';
import { QueuesModule } from '#wiring/queues.module';
import { WebhookGauges } from '#wiring/webhook-gauges';
import { WebhooksModule } from '#wiring/webhooks.module';
import { CatalogueWork } from './catalogue-work.js';
import { deadlineProviders, DeadlineWork } from './deadline-work.js';
import { FeedWork } from './feed-work.js';
import { pingProviders, PingWork } from './ping-work.js';
import { replayProviders, ReplayRounds } from './replay-work.js';
import { SandboxWorkModule } from './sandbox-work.module.js';
import { StatisticsWork } from './statistics-work.js';
import { WorkerLiveness } from './worker-liveness.js';
import { webhookProviders, WebhookWork } from './webhook-work.js';

/** What runs behind the HTTP surfaces: the feed, pings, webhooks, deadlines. HTTP for health and metrics only. */
@Module({
  imports: [OrderCoreModule, QueuesModule, WebhooksModule],
  controllers: [HealthController, MetricsController],
  providers: [
    DueOrders,
    ...pingProviders,
    ...deadlineProviders,
    ...webhookProviders,
    ...replayProviders,
    ReplayRounds,
    WebhookWork,
    WebhookGauges,
    PingWork,
    FeedWork,
    Gauges,
    DeadlineWork,
    CatalogueWork,
    StatisticsWork,
    WorkerLiveness,
  ],
})
export class WorkerModule {
  static for(settings: Settings, logger: Logger): DynamicModule {
    const sandbox = settings.PLATFORM_URL === undefined ? [SandboxWorkModule] : [];
    return { module: WorkerModule, imports: [FoundationModule.for(settings, logger, 'worker'), ...sandbox] };
  }
}
