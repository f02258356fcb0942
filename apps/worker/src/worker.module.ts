import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { CatalogueModule } from '#discovery/catalogue.module';
import { type Settings, usesSandbox } from '#base/settings';
import { JobQueue } from '#delivery-kit/job-queue';
import { queueErrors } from '#delivery-kit/queue-task';
import { QueuesModule } from '#delivery-kit/queues.module';
import { FeedModule } from '#event-store/feed.module';
import { KeyResealing } from '#upkeep/key-resealing';
import { KeyedLogModule } from '#event-store/keyed-log';
import { LedgerProofs } from '#upkeep/ledger-proof';
import { Retention } from '#upkeep/retention';
import { VerificationRuns } from '#upkeep/verification-runs';
import { allTasks } from '#platform/background-task';
import { FoundationModule } from '#platform/foundation.module';
import { HealthController } from '#platform/health.controller';
import type { Logger } from '#platform/logger';
import { MetricsController } from '#platform/metrics.controller';
import { RunningGroups } from '#platform/running-groups';
import { TasksModule } from '#platform/tasks.module';
import { DeadlinesModule } from '#orders/deadlines.module';
import { MoneyTasksModule } from '#money/money-tasks.module';
import { ReconciliationModule } from '#money/reconciliation.module';
import { ProviderEventsModule } from '#money/provider-events.module';
import { JobsModule } from '#desk/jobs.module';
import { OrdersModule } from '#orders/orders.module';
import { WorkQueuesModule } from '#desk/work-queues.module';
import { ReportsModule } from '#desk/reports.module';
import { OrderTransferModule } from '#desk/order-transfer.module';
import { LedgerModule } from '#money/ledger.module';
import { MailModule } from '#fulfilment/mail.module';
import { TicketsModule } from '#fulfilment/tickets.module';
import { PeopleModule } from '#accounts/people.module';
import { PingStreamModule } from '#outbound/ping-stream.module';
import { PingDeliveryModule } from '#outbound/ping-delivery.module';
import { DeliveryMinutes } from '#outbound/delivery-minutes';
import { ReleaseScheduler, ReplayWork } from '#outbound/replay-work';
import { SandboxPlatformModule } from '#sandbox/sandbox-platform.module';
import { WebhookDeliveryModule } from '#outbound/webhook-delivery.module';
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
    ProviderEventsModule,
    MoneyTasksModule,
    ReconciliationModule,
    JobsModule,
    OrderTransferModule,
    WorkQueuesModule,
    ReportsModule,
    TicketsModule,
    MailModule,
    KeyedLogModule,
    LedgerModule,
    PingDeliveryModule,
    PingStreamModule,
    WebhookDeliveryModule,
    CatalogueModule,
    PeopleModule,
  ],
  controllers: [HealthController, MetricsController],
  providers: [
    DeliveryMinutes,
    ReplayWork,
    LedgerProofs,
    VerificationRuns,
    KeyResealing,
    Retention,
    RunningGroups,
    { provide: ReleaseScheduler, useClass: ReleasedDeliveries },
  ],
})
export class WorkerModule implements OnModuleInit {
  constructor(private readonly providers: DiscoveryService) {}

  static for(settings: Settings, logger: Logger): DynamicModule {
    const sandbox = usesSandbox(settings) ? [SandboxPlatformModule] : [];
    return {
      module: WorkerModule,
      imports: [
        FoundationModule.for(settings, logger, 'worker'),
        TasksModule.for(WORKER_TASKS, settings.TASKS),
        ...sandbox,
      ],
    };
  }

  /** A queue whose jobs nobody processes would be noticed only by what does not happen. */
  onModuleInit(): void {
    const instances = this.providers.getProviders().map(({ instance }) => instance as unknown);
    const errors = queueErrors(allTasks(WORKER_TASKS), [
      ...new Set(instances.filter((one) => one instanceof JobQueue)),
    ]);
    if (errors.length > 0) throw new Error(`The table of background tasks: ${errors.join('; ')}.`);
  }
}
