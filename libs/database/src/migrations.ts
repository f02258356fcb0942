import { OrderCore1764000000000 } from './migrations/1764000000000-order-core.js';
import { PingStream1764100000000 } from './migrations/1764100000000-ping-stream.js';
import { Webhooks1764200000000 } from './migrations/1764200000000-webhooks.js';
import { Catalogue1764300000000 } from './migrations/1764300000000-catalogue.js';
import { DiscoveryKeys1764310000000 } from './migrations/1764310000000-discovery-keys.js';
import { CatalogueChanges1764320000000 } from './migrations/1764320000000-catalogue-changes.js';
import { Repair1764400000000 } from './migrations/1764400000000-repair.js';
import { Recommendations1764500000000 } from './migrations/1764500000000-recommendations.js';
import { PingEndpoints1764600000000 } from './migrations/1764600000000-ping-endpoints.js';
import { GrownTables1764700000000 } from './migrations/1764700000000-grown-tables.js';
import { LongTransactionIds1764830000000 } from './migrations/1764830000000-long-transaction-ids.js';
import { ListingLists1764830001000 } from './migrations/1764830001000-listing-lists.js';
import { Installation1764840000000 } from './migrations/1764840000000-installation.js';
import { Epoch1764860000000 } from './migrations/1764860000000-epoch.js';
import { People1764900000000 } from './migrations/1764900000000-people.js';
import { OrderSearch1764910000000 } from './migrations/1764910000000-order-search.js';
import { OrderDesk1764920000000 } from './migrations/1764920000000-order-desk.js';
import { RecordedRequests1764921000000 } from './migrations/1764921000000-recorded-requests.js';
import { DeskSearch1764940000000 } from './migrations/1764940000000-desk-search.js';
import { SavedViews1764941000000 } from './migrations/1764941000000-saved-views.js';
import { AbsentBuyers1764942000000 } from './migrations/1764942000000-absent-buyers.js';
import { DeskVersion1765010000000 } from './migrations/1765010000000-desk-version.js';
import { Replacements1765010100000 } from './migrations/1765010100000-replacements.js';
import { DiscoveryKeyRotation1765030000000 } from './migrations/1765030000000-discovery-key-rotation.js';
import { OpenIdOperators1765031000000 } from './migrations/1765031000000-openid-operators.js';
import { WebhookAttemptTimes1765050000000 } from './migrations/1765050000000-webhook-attempt-times.js';
import { MaintenanceRuns1766010000000 } from './migrations/1766010000000-maintenance-runs.js';
import { StatusCatalogues1766010100000 } from './migrations/1766010100000-status-catalogues.js';
import { DeliveryMinutes1766020000000 } from './migrations/1766020000000-delivery-minutes.js';
import { DiscoveryKeyPages1767010000000 } from './migrations/1767010000000-discovery-key-pages.js';
import { ReadableMigrations1767020000000 } from './migrations/1767020000000-readable-migrations.js';
import { Ledger1767030000000 } from './migrations/1767030000000-ledger.js';
import { SealedFreeFields1767040000000 } from './migrations/1767040000000-sealed-free-fields.js';
import { EncryptionKeys1767041000000 } from './migrations/1767041000000-encryption-keys.js';
import { RequiredRefIds1767050000000 } from './migrations/1767050000000-required-ref-ids.js';
import { WorkQueues1768030000000 } from './migrations/1768030000000-work-queues.js';
import { ScreeningRules1768040000000 } from './migrations/1768040000000-screening-rules.js';
import { Jobs1768050000000 } from './migrations/1768050000000-jobs.js';
import { Tickets1768060000000 } from './migrations/1768060000000-tickets.js';
import { Mails1768061000000 } from './migrations/1768061000000-mails.js';
import { ImportedOrders1768070000000 } from './migrations/1768070000000-imported-orders.js';
import { JobFiles1768070100000 } from './migrations/1768070100000-job-files.js';
import { Escalations1768080000000 } from './migrations/1768080000000-escalations.js';
import { SandboxReleases1768090000000 } from './migrations/1768090000000-sandbox-releases.js';
import { ReportSubscriptions1768095000000 } from './migrations/1768095000000-report-subscriptions.js';
import { OwnEscalations1768095010000 } from './migrations/1768095010000-own-escalations.js';
import { TrackedOrders1768095061000 } from './migrations/1768095061000-tracked-orders.js';
import { NarrowIndexes1768095062000 } from './migrations/1768095062000-narrow-indexes.js';
import { PlacedWorkItems1768095064000 } from './migrations/1768095064000-placed-work-items.js';
import { IndexesWithoutIds1768095066000 } from './migrations/1768095066000-indexes-without-ids.js';
import { ReopenedEvents1769200000000 } from './migrations/1769200000000-reopened-events.js';
import { UsedEncryptionKeys1769200001000 } from './migrations/1769200001000-used-encryption-keys.js';
import { IdempotencyKeys1769500000000 } from './migrations/1769500000000-idempotency-keys.js';
import { WideCatalogueIds1769600000000 } from './migrations/1769600000000-wide-catalogue-ids.js';
import { TrackingNumbersWithoutBlanks1769600010000 } from './migrations/1769600010000-tracking-numbers-without-blanks.js';
import { FoldedBuyers1769700000000 } from './migrations/1769700000000-folded-buyers.js';
import { VenueTimeZones1769900000000 } from './migrations/1769900000000-venue-time-zones.js';
import { UnseenReviews1770100000000 } from './migrations/1770100000000-unseen-reviews.js';
import { TicketDownloads1770200000000 } from './migrations/1770200000000-ticket-downloads.js';
import { RefusedSignIns1770300000000 } from './migrations/1770300000000-refused-sign-ins.js';
import { PaymentReferences1770600000000 } from './migrations/1770600000000-payment-references.js';
import { OperatorAccess1771000000000 } from './migrations/1771000000000-operator-access.js';
import { PersonalDataReads1771000100000 } from './migrations/1771000100000-personal-data-reads.js';
import { FreshProofs1771100000000 } from './migrations/1771100000000-fresh-proofs.js';
import { TokenTerms1771200000000 } from './migrations/1771200000000-token-terms.js';
import { SignInTimes1771210000000 } from './migrations/1771210000000-sign-in-times.js';
import { OpenIdSessions1771220000000 } from './migrations/1771220000000-openid-sessions.js';
import { MailAttempts1771230000000 } from './migrations/1771230000000-mail-attempts.js';
import { PaymentSteps1772000000000 } from './migrations/1772000000000-payment-steps.js';
import { ProviderEvents1772200000000 } from './migrations/1772200000000-provider-events.js';
import { OrdersByPaymentStep1772010000000 } from './migrations/1772010000000-orders-by-payment-step.js';
import { LedgerEntries1772100000000 } from './migrations/1772100000000-ledger-entries.js';
import { RefundJobs1772300000000 } from './migrations/1772300000000-refund-jobs.js';
import { MoneyStream1772310000000 } from './migrations/1772310000000-money-stream.js';
import { RefundMails1772320000000 } from './migrations/1772320000000-refund-mails.js';
import { Disputes1772330000000 } from './migrations/1772330000000-disputes.js';
import { MoneyTasks1772340000000 } from './migrations/1772340000000-money-tasks.js';
import { Reconciliations1772350000000 } from './migrations/1772350000000-reconciliations.js';
import { DisputePacks1772360000000 } from './migrations/1772360000000-dispute-packs.js';
import { DeliveryBySeat1772370100000 } from './migrations/1772370100000-delivery-by-seat.js';
import { ListingsByExternalId1772370000000 } from './migrations/1772370000000-listings-by-external-id.js';
import { SpeculativeOrders1772370190000 } from './migrations/1772370190000-speculative-orders.js';
import { SeatBarcodes1772370191000 } from './migrations/1772370191000-seat-barcodes.js';
import { ListingSeats1772370200000 } from './migrations/1772370200000-listing-seats.js';
import { SpokenSearch1772370300000 } from './migrations/1772370300000-spoken-search.js';
import { Choices1772400000000 } from './migrations/1772400000000-choices.js';
import { WalletPasses1772500000000 } from './migrations/1772500000000-wallet-passes.js';
import { PassChanges1772500100000 } from './migrations/1772500100000-pass-changes.js';
import { Inbox1772600000000 } from './migrations/1772600000000-inbox.js';
import { SampleRemoval1772700000000 } from './migrations/1772700000000-sample-removal.js';
import { EventArchive1772960000000 } from './migrations/1772960000000-event-archive.js';
import { Macros1772800000000 } from './migrations/1772800000000-macros.js';
import { Partitions1772905000000 } from './migrations/1772905000000-partitions.js';
import { WebhookCredentials1772920000000 } from './migrations/1772920000000-webhook-credentials.js';
import { TaskGroups1772930000000 } from './migrations/1772930000000-task-groups.js';
import { Analytics1772940010000 } from './migrations/1772940010000-analytics.js';
import { SmallerOrderIndexes1772940000000 } from './migrations/1772940000000-smaller-order-indexes.js';
import { Traceparents1772970000000 } from './migrations/1772970000000-traceparents.js';
import { VerificationCheckpoints1772980000000 } from './migrations/1772980000000-verification-checkpoints.js';

/** Oldest first. A released migration never changes. */
export const migrations = [
  OrderCore1764000000000,
  PingStream1764100000000,
  Webhooks1764200000000,
  Catalogue1764300000000,
  DiscoveryKeys1764310000000,
  CatalogueChanges1764320000000,
  Repair1764400000000,
  Recommendations1764500000000,
  PingEndpoints1764600000000,
  GrownTables1764700000000,
  LongTransactionIds1764830000000,
  ListingLists1764830001000,
  Installation1764840000000,
  Epoch1764860000000,
  People1764900000000,
  OrderSearch1764910000000,
  OrderDesk1764920000000,
  RecordedRequests1764921000000,
  DeskSearch1764940000000,
  SavedViews1764941000000,
  AbsentBuyers1764942000000,
  DeskVersion1765010000000,
  Replacements1765010100000,
  DiscoveryKeyRotation1765030000000,
  OpenIdOperators1765031000000,
  WebhookAttemptTimes1765050000000,
  MaintenanceRuns1766010000000,
  StatusCatalogues1766010100000,
  DeliveryMinutes1766020000000,
  DiscoveryKeyPages1767010000000,
  ReadableMigrations1767020000000,
  Ledger1767030000000,
  SealedFreeFields1767040000000,
  EncryptionKeys1767041000000,
  RequiredRefIds1767050000000,
  WorkQueues1768030000000,
  ScreeningRules1768040000000,
  Jobs1768050000000,
  Tickets1768060000000,
  Mails1768061000000,
  ImportedOrders1768070000000,
  JobFiles1768070100000,
  Escalations1768080000000,
  SandboxReleases1768090000000,
  ReportSubscriptions1768095000000,
  OwnEscalations1768095010000,
  TrackedOrders1768095061000,
  NarrowIndexes1768095062000,
  PlacedWorkItems1768095064000,
  IndexesWithoutIds1768095066000,
  ReopenedEvents1769200000000,
  UsedEncryptionKeys1769200001000,
  IdempotencyKeys1769500000000,
  WideCatalogueIds1769600000000,
  TrackingNumbersWithoutBlanks1769600010000,
  FoldedBuyers1769700000000,
  VenueTimeZones1769900000000,
  UnseenReviews1770100000000,
  TicketDownloads1770200000000,
  RefusedSignIns1770300000000,
  PaymentReferences1770600000000,
  OperatorAccess1771000000000,
  PersonalDataReads1771000100000,
  FreshProofs1771100000000,
  TokenTerms1771200000000,
  SignInTimes1771210000000,
  OpenIdSessions1771220000000,
  MailAttempts1771230000000,
  PaymentSteps1772000000000,
  OrdersByPaymentStep1772010000000,
  LedgerEntries1772100000000,
  ProviderEvents1772200000000,
  RefundJobs1772300000000,
  MoneyStream1772310000000,
  RefundMails1772320000000,
  Disputes1772330000000,
  MoneyTasks1772340000000,
  Reconciliations1772350000000,
  DisputePacks1772360000000,
  ListingsByExternalId1772370000000,
  DeliveryBySeat1772370100000,
  SpeculativeOrders1772370190000,
  SeatBarcodes1772370191000,
  ListingSeats1772370200000,
  SpokenSearch1772370300000,
  Choices1772400000000,
  WalletPasses1772500000000,
  PassChanges1772500100000,
  Inbox1772600000000,
  SampleRemoval1772700000000,
  Macros1772800000000,
  Partitions1772905000000,
  WebhookCredentials1772920000000,
  TaskGroups1772930000000,
  SmallerOrderIndexes1772940000000,
  Analytics1772940010000,
  EventArchive1772960000000,
  Traceparents1772970000000,
  VerificationCheckpoints1772980000000,
];
