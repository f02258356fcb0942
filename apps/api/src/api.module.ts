import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { type Settings, usesSandbox } from '#config/settings';
import { QueuesModule } from '#delivery/queues/queues.module';
import { FeedModule } from '#event-store/feed.module';
import { FoundationModule } from '#operations/foundation.module';
import { HealthController } from '#operations/health.controller';
import type { Logger } from '#operations/logger';
import { MetricsController } from '#operations/metrics.controller';
import { TasksModule } from '#operations/tasks/tasks.module';
import { DeadlinesModule } from '#orders/deadlines/deadlines.module';
import { API_TASKS } from './api-tasks.js';
import { CatalogueApiModule } from './backoffice/catalogue-api.module.js';
import { ClientsApiModule } from './backoffice/clients-api.module.js';
import { EventsApiModule } from './backoffice/events-api.module.js';
import { JobsApiModule } from './backoffice/jobs-api.module.js';
import { ListingsApiModule } from './backoffice/listings-api.module.js';
import { MaintenanceApiModule } from './backoffice/maintenance-api.module.js';
import { OrdersApiModule } from './backoffice/orders-api.module.js';
import { PingsApiModule } from './backoffice/pings-api.module.js';
import { QueuesApiModule } from './backoffice/queues-api.module.js';
import { ReplaysApiModule } from './backoffice/replays-api.module.js';
import { ReportsApiModule } from './backoffice/reports/reports-api.module.js';
import { SavedViewsApiModule } from './backoffice/saved-views-api.module.js';
import { ScreeningApiModule } from './backoffice/screening/screening-api.module.js';
import { TimelineApiModule } from './backoffice/timeline/timeline-api.module.js';
import { WebhooksApiModule } from './backoffice/webhooks-api.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { HomeController } from './home/home.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { JsonBodyPipe } from './http/json-body.pipe.js';
import { ErrorWriter } from './http/written-error.js';
import { LiveOrdersModule } from './live-orders/live-orders.module.js';
import { MailsApiModule } from './mail/mails-api.module.js';
import { AuditApiModule } from './people/audit-api.module.js';
import { StaffModule } from './people/staff.module.js';
import { QueueBoardController } from './queues/queue-board.controller.js';
import { QueueBoard } from './queues/queue-board.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { StreamApiModule } from './stream/stream-api.module.js';
import { SurfaceErrors } from './surface-errors.js';
import { TicketsApiModule } from './tickets/tickets-api.module.js';

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
    TicketsApiModule,
    MailsApiModule,
    TimelineApiModule,
    LiveOrdersModule,
    AuditApiModule,
    SavedViewsApiModule,
    QueuesApiModule,
    JobsApiModule,
    ReportsApiModule,
    EventsApiModule,
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
