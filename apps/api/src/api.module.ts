import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { type Settings, usesSandbox } from '#base/settings';
import { QueuesModule } from '#delivery-kit/queues.module';
import { FeedModule } from '#event-store/feed.module';
import { FoundationModule } from '#platform/foundation.module';
import { HealthController } from '#platform/health.controller';
import type { Logger } from '#platform/logger';
import { MetricsController } from '#platform/metrics.controller';
import { TasksModule } from '#platform/tasks.module';
import { DeadlinesModule } from '#orders/deadlines.module';
import { API_TASKS } from './api-tasks.js';
import { CatalogueApiModule } from '#discovery/catalogue-api.module';
import { ClientsApiModule } from '#accounts/clients-api.module';
import { ShowsApiModule } from '#desk/shows-api.module';
import { JobsApiModule } from '#desk/jobs-api.module';
import { LedgerApiModule } from '#money/ledger-api.module';
import { ListingsApiModule } from '#listings/listings-api.module';
import { MaintenanceApiModule } from '#upkeep/maintenance-api.module';
import { OrdersApiModule } from '#orders/orders-api.module';
import { PingsApiModule } from '#outbound/pings-api.module';
import { QueuesApiModule } from '#desk/queues-api.module';
import { DisputesApiModule } from '#money/disputes-api.module';
import { MoneyTasksApiModule } from '#money/money-tasks-api.module';
import { ReconciliationsApiModule } from '#money/reconciliations-api.module';
import { RefundsApiModule } from '#money/refunds-api.module';
import { ReplaysApiModule } from '#outbound/replays-api.module';
import { ReportsApiModule } from '#desk/reports-api.module';
import { FirstRunApiModule } from '#desk/first-run-api.module';
import { SavedViewsApiModule } from '#desk/saved-views-api.module';
import { ScreeningApiModule } from '#orders/screening-api.module';
import { TimelineApiModule } from '#desk/timeline-api.module';
import { WebhooksApiModule } from '#outbound/webhooks-api.module';
import { ProviderEventsApiModule } from '#money/provider-events-api.module';
import { CheckoutModule } from '#orders/checkout.module';
import { DiscoveryModule } from '#discovery/discovery.module';
import { HomeController } from './home/home.controller.js';
import { ErrorFilter } from '#web/error.filter';
import { JsonBodyPipe } from '#web/json-body.pipe';
import { ErrorWriter } from '#web/written-error';
import { LiveOrdersModule } from '#orders/live-orders.module';
import { MailsApiModule } from '#fulfilment/mails-api.module';
import { AuditApiModule } from '#desk/audit-api.module';
import { StaffModule } from '#accounts/staff.module';
import { QueueBoardController } from './queues/queue-board.controller.js';
import { QueueBoard } from './queues/queue-board.js';
import { SandboxModule } from '#sandbox/sandbox.module';
import { StreamApiModule } from '#outbound/stream-api.module';
import { SurfaceErrors } from './surface-errors.js';
import { TicketsApiModule } from '#fulfilment/tickets-api.module';

/** The HTTP surfaces: checkout for the platform, discovery for the public, back office for staff, the stream for integrations, health and metrics for operations. */
@Module({
  imports: [
    QueuesModule,
    FeedModule,
    StaffModule,
    ListingsApiModule,
    CheckoutModule,
    OrdersApiModule,
    ScreeningApiModule,
    DeadlinesModule,
    ProviderEventsApiModule,
    RefundsApiModule,
    DisputesApiModule,
    MoneyTasksApiModule,
    ReconciliationsApiModule,
    TicketsApiModule,
    MailsApiModule,
    LedgerApiModule,
    TimelineApiModule,
    LiveOrdersModule,
    AuditApiModule,
    FirstRunApiModule,
    SavedViewsApiModule,
    QueuesApiModule,
    JobsApiModule,
    ReportsApiModule,
    ShowsApiModule,
    CatalogueApiModule,
    DiscoveryModule,
    PingsApiModule,
    ReplaysApiModule,
    StreamApiModule,
    WebhooksApiModule,
    ClientsApiModule,
    MaintenanceApiModule,
    TasksModule.for(API_TASKS),
  ],
  controllers: [QueueBoardController, HealthController, HomeController, MetricsController],
  providers: [
    QueueBoard,
    { provide: ErrorWriter, useClass: SurfaceErrors },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: JsonBodyPipe },
  ],
})
export class ApiModule {
  static for(settings: Settings, logger: Logger): DynamicModule {
    const sandbox = usesSandbox(settings) ? [SandboxModule] : [];
    return { module: ApiModule, imports: [FoundationModule.for(settings, logger, 'api'), ...sandbox] };
  }
}
