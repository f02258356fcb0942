import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { PostalCodes } from '#catalogue/postal-codes';
import { Settings } from '#config/settings';
import { DatabaseEpoch } from '#database/epoch';
import { QueueGauge } from '#delivery/queues/queue-gauge';
import { EventStore } from '#event-store/event-store';
import { IpPlaces } from '#search/geocoding/ip-places';
import { LocalGeocoder } from '#search/geocoding/local-geocoder';
import { FeedBacklog } from '#event-store/feed-backlog';
import { PeopleModule } from '#people/people.module';
import { AnswerPurchaseHandler } from './commands/answer-purchase.handler.js';
import { AnswerReplacementHandler } from './commands/answer-replacement.handler.js';
import { ApproveReviewHandler } from './commands/approve-review.handler.js';
import { CardDataPolicy } from './commands/card-data-policy.js';
import { ChangeStatusHandler } from './commands/change-status.handler.js';
import { CompletePaymentHandler } from './commands/complete-payment.handler.js';
import { CorrectBuyerHandler } from './commands/correct-buyer.handler.js';
import { ErasePersonalDataHandler } from './commands/erase-personal-data.handler.js';
import { EventNotes } from './commands/event-notes.js';
import { ExpireConfirmationHandler } from './commands/expire-confirmation.handler.js';
import { ExpireReplacementHandler } from './commands/expire-replacement.handler.js';
import { FulfillOrderHandler } from './commands/fulfill-order.handler.js';
import { OrderChanges, OrderRules } from './commands/order-changes.js';
import { ProposeReplacementHandler } from './commands/propose-replacement.handler.js';
import { PurchaseCheck } from './commands/purchase-check.js';
import { PurchaseDrafts, ScreenedDrafts } from './commands/purchase-drafts.js';
import { PurchaseKeys } from './commands/purchase-keys.js';
import { PurchasePayment } from './commands/purchase-payment.js';
import { ReleasePaymentHandler } from './commands/release-payment.handler.js';
import { ReplacementListings } from './commands/replacement-listings.js';
import { ReturnDifferenceHandler } from './commands/return-difference.handler.js';
import { loadStatusCatalogue } from './commands/status-catalogue-file.js';
import { StatusCatalogues } from './commands/status-catalogues.js';
import { SubmitPurchaseHandler } from './commands/submit-purchase.handler.js';
import { DeadlineQueue } from './deadlines/deadline-queue.js';
import { Deadlines } from './deadlines/deadlines.js';
import { DueOrders } from './deadlines/due-orders.js';
import { OrderChangeFeed } from './desk/order-change-feed.js';
import { OrderActions } from './desk/order-actions.js';
import { OrderDesk } from './desk/order-desk.js';
import { OrderHistory } from './desk/order-history.js';
import { OrderNotes } from './desk/order-notes.js';
import { RevealReasons } from './desk/reveal-reasons.js';
import { SavedViews } from './desk/saved-views.js';
import { DeskBatch } from './jobs/desk-batch.js';
import { EventNoteBatch } from './jobs/event-note-batch.js';
import { EventRuns } from './jobs/event-runs.js';
import { JobNotes } from './jobs/job-notes.js';
import { JobPreviews } from './jobs/job-preview.js';
import { JobRunner } from './jobs/job-runner.js';
import { JobSelection } from './jobs/job-selection.js';
import { JobStart } from './jobs/job-start.js';
import { JobUndo } from './jobs/job-undo.js';
import { Jobs } from './jobs/jobs.js';
import { OrderBatch } from './jobs/order-batch.js';
import { OrderJobs } from './jobs/order-jobs.js';
import { ListingImport } from './listings/listing-import.js';
import { ListingQueries } from './listings/listing-queries.js';
import { Listings } from './listings/listings.js';
import { OrderEventStore } from './order-event-store.js';
import { PaymentProvider } from './payments/payment-provider.js';
import { SandboxPaymentProvider } from './payments/sandbox-payment-provider.js';
import { OwnEscalations } from './queues/own-escalations.js';
import { OwnQueueCounts } from './queues/own-queue-counts.js';
import { Escalations } from './queues/escalations.js';
import { OwnQueues } from './queues/own-queues.js';
import { WorkItems } from './queues/work-items.js';
import { WorkQueues } from './queues/work-queues.js';
import { OrderQueries } from './read-models/order-queries.js';
import { PurchaseQueries } from './read-models/purchase-queries.js';
import { OrderReports } from './reports/order-reports.js';
import { FraudLookups } from './screening/fraud-lookups.js';
import { PastPurchases } from './screening/past-purchases.js';
import { PurchaseCountQueries } from './screening/purchase-counts.js';
import { PurchaseScreening } from './screening/purchase-screening.js';
import { ScreeningDryRuns } from './screening/screening-dry-runs.js';
import { ScreeningRules } from './screening/screening-rules.js';
import { BuyerDigestFilling } from './search/buyer-digest-filling.js';
import { OrderFinder } from './search/order-finder.js';
import { ExportWork } from './transfer/export-work.js';
import { ImportWork } from './transfer/import-work.js';
import { JobFiles } from './transfer/job-files.js';
import { JobLinks } from './transfer/job-links.js';
import { OrderExport } from './transfer/order-export.js';
import { OrderImport } from './transfer/order-import.js';
import { TransferJobs } from './transfer/transfer-jobs.js';
import { TransferLeases } from './transfer/transfer-leases.js';
import { TransferRunner } from './transfer/transfer-runner.js';

const commandHandlers = [
  SubmitPurchaseHandler,
  ChangeStatusHandler,
  AnswerPurchaseHandler,
  ApproveReviewHandler,
  ProposeReplacementHandler,
  AnswerReplacementHandler,
  ExpireReplacementHandler,
  FulfillOrderHandler,
  ExpireConfirmationHandler,
  CompletePaymentHandler,
  ReleasePaymentHandler,
  ReturnDifferenceHandler,
  CorrectBuyerHandler,
  ErasePersonalDataHandler,
];

const screening = [ScreeningRules, ScreeningDryRuns];

const useCases = [
  { provide: EventStore, useClass: OrderEventStore },
  {
    provide: OrderRules,
    inject: [Settings],
    // Without a file, StatusCatalogues reads it from the database.
    useFactory: ({ STATUS_CATALOGUE_FILE: file }: Settings) =>
      new OrderRules(file === undefined ? undefined : loadStatusCatalogue(file)),
  },
  StatusCatalogues,
  { provide: PaymentProvider, useClass: SandboxPaymentProvider },
  CardDataPolicy,
  EventNotes,
  OrderChanges,
  PurchaseCheck,
  PurchaseDrafts,
  PurchaseKeys,
  PurchasePayment,
  ReplacementListings,
  Listings,
  ListingImport,
];

const queries = [OrderQueries, OrderFinder, OrderReports, PurchaseQueries, ListingQueries];

const workQueues = [Escalations, OwnEscalations, WorkItems, WorkQueues, OwnQueues, OwnQueueCounts];
const jobs = [
  Jobs,
  JobStart,
  JobSelection,
  JobNotes,
  JobPreviews,
  JobUndo,
  OrderBatch,
  DeskBatch,
  EventNoteBatch,
  EventRuns,
  OrderJobs,
  JobRunner,
];

const desk = [OrderDesk, OrderChangeFeed, OrderNotes, OrderActions, OrderHistory, RevealReasons, SavedViews];
const transfers = [
  FeedBacklog,
  OrderExport,
  OrderImport,
  JobFiles,
  JobLinks,
  TransferJobs,
  TransferLeases,
  ExportWork,
  ImportWork,
  TransferRunner,
];

@Module({
  imports: [CqrsModule.forRoot(), CatalogueModule, PeopleModule],
  providers: [
    ...useCases,
    ...commandHandlers,
    ...queries,
    ...desk,
    ...jobs,
    ...workQueues,
    ...transfers,
    DueOrders,
    DeadlineQueue,
    Deadlines,
    BuyerDigestFilling,
    ...screening,
    { provide: ScreenedDrafts, useClass: PurchaseScreening },
    PurchaseCountQueries,
    PastPurchases,
    FraudLookups,
    // An instance of its own, so that processes without event discovery need no search.
    LocalGeocoder,
    IpPlaces,
    PostalCodes,
  ],
  exports: [CqrsModule, ...useCases, ...queries, ...desk, ...jobs, ...screening, ...workQueues, ...transfers],
})
export class OrdersModule {
  constructor(epoch: DatabaseEpoch, listings: Listings, gauge: QueueGauge, deadlines: DeadlineQueue) {
    epoch.onChange(() => listings.invalidateAll());
    gauge.show(deadlines);
  }
}
