import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { type Settings, usesSandbox } from '#config/settings';
import { JobQueue } from '#delivery/queues/job-queue';
import { queueErrors } from '#delivery/queues/queue-task';
import { QueuesModule } from '#delivery/queues/queues.module';
import { FeedModule } from '#event-store/feed.module';
import { KeyResealing } from '#maintenance/key-resealing';
import { Retention } from '#maintenance/retention';
import { VerificationRuns } from '#maintenance/verification-runs';
import { FoundationModule } from '#operations/foundation.module';
import { HealthController } from '#operations/health.controller';
import type { Logger } from '#operations/logger';
import { MetricsController } from '#operations/metrics.controller';
import { TasksModule } from '#operations/tasks/tasks.module';
import { DeadlinesModule } from '#orders/deadlines/deadlines.module';
import { JobsModule } from '#orders/jobs/jobs.module';
import { OrdersModule } from '#orders/orders.module';
import { WorkQueuesModule } from '#orders/queues/work-queues.module';
import { ReportsModule } from '#orders/reports/reports.module';
import { TransferModule } from '#orders/transfer/transfer.module';
import { MailModule } from '#orders/mail.module';
import { TicketsModule } from '#orders/tickets.module';
import { PeopleModule } from '#people/people.module';
import { PingStreamModule } from '#ping-stream/ping-stream.module';
import { PingDeliveryModule } from '#pings/ping-delivery.module';
import { DeliveryMinutes } from '#pings/repair/delivery-minutes';
import { ReleaseScheduler, ReplayWork } from '#pings/repair/replay-work';
import { SandboxPlatformModule } from '#pings/sandbox/sandbox-platform.module';
import { WebhookDeliveryModule } from '#webhooks/webhook-delivery.module';
import { WORKER_TASKS } from './background-tasks.js';
import { ReleasedDeliveries } from './released-deliveries.js';

/** What runs behind the HTTP surfaces: the background tasks of `background-tasks.ts`. HTTP for health and metrics only. */
@Module({
  imports: [
    DiscoveryModule,
    QueuesModule,
    FeedModule,
    OrdersModule,
    DeadlinesModule,
    JobsModule,
    TransferModule,
    WorkQueuesModule,
    ReportsModule,
    TicketsModule,
    MailModule,
    PingDeliveryModule,
    PingStreamModule,
    WebhookDeliveryModule,
    CatalogueModule,
    PeopleModule,
    TasksModule.for(WORKER_TASKS),
  ],
  controllers: [HealthController, MetricsController],
  providers: [
    DeliveryMinutes,
    ReplayWork,
    VerificationRuns,
    KeyResealing,
    Retention,
    { provide: ReleaseScheduler, useClass: ReleasedDeliveries },
  ],
})
export class WorkerModule implements OnModuleInit {
  constructor(private readonly providers: DiscoveryService) {}

  static for(settings: Settings, logger: Logger): DynamicModule {
    const sandbox = usesSandbox(settings) ? [SandboxPlatformModule] : [];
    return { module: WorkerModule, imports: [FoundationModule.for(settings, logger, 'worker'), ...sandbox] };
  }

  /** A queue whose jobs nobody processes would be noticed only by what does not happen. */
  onModuleInit(): void {
    const instances = this.providers.getProviders().map(({ instance }) => instance as unknown);
    const errors = queueErrors(WORKER_TASKS, [...new Set(instances.filter((one) => one instanceof JobQueue))]);
    if (errors.length > 0) throw new Error(`The table of background tasks: ${errors.join('; ')}.`);
  }
}
