import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from '#operations/health.controller';
import type { Logger } from '#operations/logger';
import { MetricsController } from '#operations/metrics.controller';
import type { Settings } from '#config/settings';
import { DueOrders } from '#projections/due-orders';
import { FoundationModule } from '#wiring/foundation.module';
import { OrderCoreModule } from '#wiring/order-core.module';
import { deadlineProviders, DeadlineWork } from './deadline-work.js';
import { FeedWork } from './feed-work.js';
import { pingProviders, PingWork } from './ping-work.js';
import { queueProviders } from './queues.js';

/** What runs behind the HTTP surfaces: the feed, pings, deadlines. HTTP for health and metrics only. */
@Module({
  imports: [OrderCoreModule],
  controllers: [HealthController, MetricsController],
  providers: [DueOrders, ...queueProviders, ...pingProviders, ...deadlineProviders, PingWork, FeedWork, DeadlineWork],
})
export class WorkerModule {
  static for(settings: Settings, logger: Logger): DynamicModule {
    return { module: WorkerModule, imports: [FoundationModule.for(settings, logger, 'worker')] };
  }
}
