import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { type Settings, usesSandbox } from '#config/settings';
import { QueuesModule } from '#delivery/queues/queues.module';
import { FeedModule } from '#event-store/feed.module';
import { MaintenanceRuns } from '#maintenance/maintenance-runs';
import { Projections } from '#maintenance/projections';
import { FoundationModule } from '#operations/foundation.module';
import { HealthController } from '#operations/health.controller';
import type { Logger } from '#operations/logger';
import { MetricsController } from '#operations/metrics.controller';
import { TasksModule } from '#operations/tasks/tasks.module';
import { RecordedRequests } from '#operations/recorded-requests';
import { DeadlinesModule } from '#orders/deadlines/deadlines.module';
import { SavedViewsModule } from '#orders/desk/saved-views.module';
import { JobsModule } from '#orders/jobs/jobs.module';
import { OrdersModule } from '#orders/orders.module';
import { WorkQueuesModule } from '#orders/queues/work-queues.module';
import { ReportsModule } from '#orders/reports/reports.module';
import { TransferModule } from '#orders/transfer/transfer.module';
import { MailModule } from '#orders/mail.module';
import { TicketsModule } from '#orders/tickets.module';
import { PingStreamModule } from '#ping-stream/ping-stream.module';
import { PingsModule } from '#pings/pings.module';
import { RepairModule } from '#pings/repair/repair.module';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { WebhooksModule } from '#webhooks/webhooks.module';
import { API_TASKS } from './api-tasks.js';
import { AssigneesController } from './backoffice/assignees.controller.js';
import { catalogueControllers } from './backoffice/catalogue.controllers.js';
import { BrokerAnswersController } from './backoffice/broker-answers.controller.js';
import { BuyerController } from './backoffice/buyer.controller.js';
import { ClientsController } from './backoffice/clients.controller.js';
import { DeliveryController } from './backoffice/delivery.controller.js';
import { DiscoveryKeysController } from './backoffice/discovery-keys.controller.js';
import { EventSales } from './backoffice/event-sales.js';
import { BackofficeEventsController } from './backoffice/events.controller.js';
import { ListingImportController } from './backoffice/listing-import.controller.js';
import { BackofficeListingsController } from './backoffice/listings.controller.js';
import { MaintenanceController } from './backoffice/maintenance.controller.js';
import { NoticesController } from './backoffice/notices.controller.js';
import { OrderActionsController } from './backoffice/order-actions.controller.js';
import { OrderCommands } from './backoffice/order-commands.js';
import { OrderDeskController } from './backoffice/order-desk.controller.js';
import { OrderFinding } from './backoffice/order-finding.js';
import { OrderSearchController } from './backoffice/order-search.controller.js';
import { OrderHistoryController } from './backoffice/order-history.controller.js';
import { OrderQueues } from './backoffice/order-queues.js';
import { OrderSearch } from './backoffice/order-search.js';
import { OrderView } from './backoffice/order-view.js';
import { OrdersController } from './backoffice/orders.controller.js';
import { PersonalDataController } from './backoffice/personal-data.controller.js';
import { PingsController } from './backoffice/pings.controller.js';
import { ProjectionsController } from './backoffice/projections.controller.js';
import { QueuesController } from './backoffice/queues.controller.js';
import { ReplacementController } from './backoffice/replacement.controller.js';
import { ReplaysController } from './backoffice/replays.controller.js';
import { ReportSubscriptionsController } from './backoffice/reports/report-subscriptions.controller.js';
import { ReportsController } from './backoffice/reports/reports.controller.js';
import { UnsubscribeController } from './backoffice/reports/unsubscribe.controller.js';
import { SavedViewsController } from './backoffice/saved-views.controller.js';
import { FraudRulesController } from './backoffice/screening/fraud-rules.controller.js';
import { PoliciesController } from './backoffice/screening/policies.controller.js';
import { SampledOrders } from './backoffice/screening/sampled-orders.js';
import { QueueEscalationController } from './backoffice/queue-escalation.controller.js';
import { SnoozeController } from './backoffice/snooze.controller.js';
import { StatusCatalogueController } from './backoffice/status-catalogue.controller.js';
import { StreamTokensController } from './backoffice/stream-tokens.controller.js';
import { DeliveryEntries } from './backoffice/timeline/delivery-entries.js';
import { OrderTimeline } from './backoffice/timeline/order-timeline.js';
import { StaffEntries } from './backoffice/timeline/staff-entries.js';
import { TransactionsController } from './backoffice/timeline/transactions.controller.js';
import { Transactions } from './backoffice/timeline/transactions.js';
import { TimelineController } from './backoffice/timeline/timeline.controller.js';
import { WebhookDeliveriesController } from './backoffice/webhook-deliveries.controller.js';
import { WebhooksController } from './backoffice/webhooks.controller.js';
import { DownloadsController, JobFilesController } from './backoffice/job-files.controller.js';
import { JobImportsController } from './backoffice/job-imports.controller.js';
import { JobApprovers } from './backoffice/job-approvers.js';
import { JobChecks } from './backoffice/job-checks.js';
import { JobFileLinks } from './backoffice/job-file-links.js';
import { JobRequests } from './backoffice/job-requests.js';
import { JobTransfers, ShownJobs } from './backoffice/job-transfers.js';
import { JobView } from './backoffice/job-view.js';
import { JobsController } from './backoffice/jobs.controller.js';
import { ListingsController } from './checkout/listings.controller.js';
import { PurchaseReading } from './checkout/purchase-reading.js';
import { PurchaseView } from './checkout/purchase-view.js';
import { PurchasesController } from './checkout/purchases.controller.js';
import { RateLimit } from './checkout/rate-limit.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { LiveOrders } from './live-orders/live-orders.js';
import { LiveOrdersController } from './live-orders/live-orders.controller.js';
import { HomeController } from './home/home.controller.js';
import { MailsController } from './mail/mails.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { JsonBodyPipe } from './http/json-body.pipe.js';
import { RequestPruning } from './http/request-pruning.js';
import { ErrorWriter } from './http/written-error.js';
import { AuditController } from './people/audit.controller.js';
import { StaffModule } from './people/staff.module.js';
import { QueueBoardController } from './queues/queue-board.controller.js';
import { QueueBoard } from './queues/queue-board.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { PingStreamController } from './stream/ping-stream.controller.js';
import { ReaderShares } from './stream/reader-shares.js';
import { StreamReading } from './stream/stream-reading.js';
import { StreamGuard } from './stream/stream.guard.js';
import { DeliveryReportsController } from './tickets/delivery-reports.controller.js';
import { LinkRate } from './tickets/link-rate.js';
import { TicketLinksController } from './tickets/ticket-links.controller.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { UploadReader } from './tickets/upload-reader.js';
import { UploadSweep } from './tickets/upload-sweep.js';
import { SurfaceErrors } from './surface-errors.js';

const reading = [PurchaseView, PurchaseReading, OrderView, OrderCommands, OrderSearch, OrderFinding, OrderQueues];

const timeline = [DeliveryEntries, StaffEntries, OrderTimeline, RequestPruning, RecordedRequests, Transactions];

/** The HTTP surfaces: checkout for the platform, discovery for the public, back office for staff, the stream for integrations, health and metrics for operations. */
@Module({
  imports: [
    QueuesModule,
    PlatformAuthModule,
    FeedModule,
    OrdersModule,
    DeadlinesModule,
    SavedViewsModule,
    WorkQueuesModule,
    JobsModule,
    TransferModule,
    ReportsModule,
    TicketsModule,
    MailModule,
    PingsModule,
    RepairModule,
    PingStreamModule,
    WebhooksModule,
    CatalogueModule,
    DiscoveryModule,
    StaffModule,
    TasksModule.for(API_TASKS),
  ],
  controllers: [
    ListingsController,
    PurchasesController,
    OrdersController,
    OrderDeskController,
    AssigneesController,
    StatusCatalogueController,
    OrderActionsController,
    BrokerAnswersController,
    ReplacementController,
    TicketsController,
    TicketLinksController,
    DeliveryReportsController,
    MailsController,
    OrderHistoryController,
    TimelineController,
    TransactionsController,
    BuyerController,
    PersonalDataController,
    AuditController,
    OrderSearchController,
    LiveOrdersController,
    SavedViewsController,
    PoliciesController,
    FraudRulesController,
    QueuesController,
    QueueEscalationController,
    SnoozeController,
    BackofficeListingsController,
    ListingImportController,
    BackofficeEventsController,
    ...catalogueControllers,
    PingsController,
    WebhooksController,
    WebhookDeliveriesController,
    NoticesController,
    DeliveryController,
    ReplaysController,
    ProjectionsController,
    MaintenanceController,
    JobImportsController,
    JobsController,
    JobFilesController,
    DownloadsController,
    ReportsController,
    ReportSubscriptionsController,
    UnsubscribeController,
    QueueBoardController,
    PingStreamController,
    StreamTokensController,
    DiscoveryKeysController,
    ClientsController,
    HealthController,
    HomeController,
    MetricsController,
  ],
  providers: [
    RateLimit,
    EventSales,
    MaintenanceRuns,
    Projections,
    JobRequests,
    JobTransfers,
    ShownJobs,
    JobView,
    JobApprovers,
    JobChecks,
    JobFileLinks,
    QueueBoard,
    SampledOrders,
    ...reading,
    ...timeline,
    StreamGuard,
    StreamReading,
    ReaderShares,
    LiveOrders,
    LinkRate,
    UploadReader,
    UploadSweep,
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
