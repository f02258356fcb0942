import type { Type } from '@nestjs/common';
import type { Surface } from '#base/process-roles';
import { ClientsApiModule } from '#accounts/clients-api.module';
import { StaffApiModule } from '#accounts/staff-api.module';
import { AuditApiModule } from '#desk/audit-api.module';
import { FirstRunApiModule } from '#desk/first-run-api.module';
import { JobsApiModule } from '#desk/jobs-api.module';
import { MailTemplatesApiModule } from '#desk/mail-templates-api.module';
import { QueuesApiModule } from '#desk/queues-api.module';
import { ReportsApiModule } from '#desk/reports-api.module';
import { MacrosApiModule } from '#desk/macros-api.module';
import { SavedViewsApiModule } from '#desk/saved-views-api.module';
import { ShowsApiModule } from '#desk/shows-api.module';
import { TimelineApiModule } from '#desk/timeline-api.module';
import { CatalogueApiModule } from '#discovery/catalogue-api.module';
import { DiscoveryModule } from '#discovery/discovery.module';
import { FeedModule } from '#event-store/feed.module';
import { MailsApiModule } from '#fulfilment/mails-api.module';
import { TicketsApiModule } from '#fulfilment/tickets-api.module';
import { CheckoutListingsModule } from '#listings/checkout-listings.module';
import { ListingsApiModule } from '#listings/listings-api.module';
import { DisputesApiModule } from '#money/disputes-api.module';
import { LedgerApiModule } from '#money/ledger-api.module';
import { MoneyTasksApiModule } from '#money/money-tasks-api.module';
import { ProviderEventsApiModule } from '#money/provider-events-api.module';
import { ReconciliationsApiModule } from '#money/reconciliations-api.module';
import { RefundsApiModule } from '#money/refunds-api.module';
import { CheckoutModule } from '#orders/checkout.module';
import { DeadlinesModule } from '#orders/deadlines.module';
import { LiveOrdersModule } from '#orders/live-orders.module';
import { OrdersApiModule } from '#orders/orders-api.module';
import { ScreeningApiModule } from '#orders/screening-api.module';
import { PingsApiModule } from '#outbound/pings-api.module';
import { ReplaysApiModule } from '#outbound/replays-api.module';
import { StreamApiModule } from '#outbound/stream-api.module';
import { StreamTokensApiModule } from '#outbound/stream-tokens-api.module';
import { WebhooksApiModule } from '#outbound/webhooks-api.module';
import { MaintenanceApiModule } from '#upkeep/maintenance-api.module';
import { SandboxModule } from '#sandbox/sandbox.module';
import { TestPurchasesApiModule } from '#sandbox/test-purchases-api.module';
import { HomeModule } from './home/home.module.js';
import { QueueBoardModule } from './queues/queue-board.module.js';

/** The modules whose routes each surface has. */
export const SURFACE_MODULES: Readonly<Record<Surface, readonly Type[]>> = {
  checkout: [CheckoutListingsModule, CheckoutModule],
  discovery: [DiscoveryModule],
  // With the links that staff send: tickets and passes of buyers, choices, downloads, and what payment providers call.
  backoffice: [
    FeedModule,
    StaffApiModule,
    ListingsApiModule,
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
    MailTemplatesApiModule,
    LedgerApiModule,
    TimelineApiModule,
    LiveOrdersModule,
    AuditApiModule,
    FirstRunApiModule,
    SavedViewsApiModule,
    MacrosApiModule,
    QueuesApiModule,
    JobsApiModule,
    ReportsApiModule,
    ShowsApiModule,
    CatalogueApiModule,
    PingsApiModule,
    ReplaysApiModule,
    StreamTokensApiModule,
    WebhooksApiModule,
    ClientsApiModule,
    MaintenanceApiModule,
    QueueBoardModule,
  ],
  stream: [StreamApiModule],
  console: [HomeModule],
};

/** What surfaces have besides while the built-in platform receives the pings. */
export const SANDBOX_MODULES: Readonly<Partial<Record<Surface, Type>>> = {
  checkout: SandboxModule,
  backoffice: TestPurchasesApiModule,
};
