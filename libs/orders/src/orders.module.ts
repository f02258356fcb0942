import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EventStore } from '#event-store/event-store';
import { KeyedLogModule } from '#event-store/keyed-log';
import { AnswerPurchaseHandler } from './commands/answer-purchase.handler.js';
import { AnswerReplacementHandler } from './commands/answer-replacement.handler.js';
import { ApproveReviewHandler } from './commands/approve-review.handler.js';
import { ChangeStatusHandler } from './commands/change-status.handler.js';
import { CompletePaymentHandler } from './commands/complete-payment.handler.js';
import { CorrectBuyerHandler } from './commands/correct-buyer.handler.js';
import { ErasePersonalDataHandler } from './commands/erase-personal-data.handler.js';
import { EventNotes } from './event-notes.js';
import { ExpireConfirmationHandler } from './commands/expire-confirmation.handler.js';
import { ExpireReplacementHandler } from './commands/expire-replacement.handler.js';
import { ExpireTransfersHandler } from './commands/expire-transfers.handler.js';
import { FulfillOrderHandler } from './commands/fulfill-order.handler.js';
import { OrderChanges } from './order-changes.js';
import { OrderRulesModule } from './order-rules.module.js';
import { ProposeReplacementHandler } from './commands/propose-replacement.handler.js';
import { PurchaseCheck } from './purchase-check.js';
import { PurchaseKeys } from './purchase-keys.js';
import { PurchasePayment } from './commands/purchase-payment.js';
import { ReplacementListings } from './commands/replacement-listings.js';
import { SubmitPurchaseHandler } from './commands/submit-purchase.handler.js';
import { OrderActions } from './desk/order-actions.js';
import { OrderChangeFeed } from './live/order-change-feed.js';
import { OrderDesk } from './order-desk.js';
import { OrderHistory } from './desk/order-history.js';
import { OrderNotes } from './order-notes.js';
import { RevealReasons } from './reveal-reasons.js';
import { ListingsModule } from '#listings/listings.module';
import { OrderEventStore } from './order-event-store.js';
import { PaymentsModule } from '#payments/payments.module';
import { OrderQueries } from './order-queries.js';
import { OrderShows } from './order-shows.js';
import { OrderPresences } from './presence/order-presences.js';
import { ProviderShortages } from './provider-shortages.js';
import { PurchaseQueries } from './read-models/purchase-queries.js';
import { ScreeningModule } from './screening/screening.module.js';
import { BuyerDigestFilling } from './search/buyer-digest-filling.js';
import { OrderFinder } from './order-finder.js';

const commandHandlers = [
  SubmitPurchaseHandler,
  ChangeStatusHandler,
  AnswerPurchaseHandler,
  ApproveReviewHandler,
  ProposeReplacementHandler,
  AnswerReplacementHandler,
  ExpireReplacementHandler,
  ExpireTransfersHandler,
  FulfillOrderHandler,
  ExpireConfirmationHandler,
  CompletePaymentHandler,
  CorrectBuyerHandler,
  ErasePersonalDataHandler,
];

const useCases = [
  { provide: EventStore, useClass: OrderEventStore },
  EventNotes,
  OrderChanges,
  PurchaseCheck,
  PurchaseKeys,
  PurchasePayment,
  ReplacementListings,
];

const queries = [OrderQueries, OrderFinder, OrderShows, PurchaseQueries, ProviderShortages];

const desk = [OrderDesk, OrderChangeFeed, OrderNotes, OrderActions, OrderHistory, OrderPresences, RevealReasons];

const parts = [KeyedLogModule, ListingsModule, OrderRulesModule, PaymentsModule, ScreeningModule];

/** Orders: their commands, what is read of them, and what staff note down beside them. */
@Module({
  imports: [CqrsModule.forRoot(), ...parts],
  providers: [...useCases, ...commandHandlers, ...queries, ...desk, BuyerDigestFilling],
  exports: [CqrsModule, ...parts, ...useCases, ...queries, ...desk],
})
export class OrdersModule {}
