import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { Ids } from '#runtime/ids';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseEpoch } from '#database/epoch';
import type { OrderEvent } from '#domain/order/order-events';
import { type Order, orderFold } from '#domain/order/order-state';
import { EventStore } from '#event-store/event-store';
import type { StreamDefinition } from '#event-store/stream-definition';
import { Listings } from '#orders/listings/listings';
import { stockProjection } from '#orders/listings/stock.projection';
import { ChangeStatusHandler } from '#orders/commands/change-status.handler';
import { CompletePaymentHandler } from '#orders/commands/complete-payment.handler';
import { ErasePersonalDataHandler } from '#orders/commands/erase-personal-data.handler';
import { ExpireConfirmationHandler } from '#orders/commands/expire-confirmation.handler';
import { FulfillOrderHandler } from '#orders/commands/fulfill-order.handler';
import { OrderChanges, OrderRules } from '#orders/commands/order-changes';
import {
  erasedPersonalDataProjection,
  personalDataKeysProjection,
} from '#orders/commands/personal-data-keys.projection';
import { PurchaseCheck } from '#orders/commands/purchase-check';
import { PurchaseDrafts } from '#orders/commands/purchase-drafts';
import { PurchaseKeys } from '#orders/commands/purchase-keys';
import { freedPurchaseKeysProjection, purchaseKeysProjection } from '#orders/commands/purchase-keys.projection';
import { PurchasePayment } from '#orders/commands/purchase-payment';
import { ReleasePaymentHandler } from '#orders/commands/release-payment.handler';
import { loadStatusCatalogue } from '#orders/commands/status-catalogue-file';
import { SubmitPurchaseHandler } from '#orders/commands/submit-purchase.handler';
import { PaymentProvider } from '#orders/payments/payment-provider';
import { SandboxPaymentProvider } from '#orders/payments/sandbox-payment-provider';
import { duePingsProjection } from '#pings/due-pings.projection';
import { resentPingsProjection } from '#pings/resent-pings.projection';
import { ordersProjection } from '#orders/read-models/orders.projection';
import { statusHistoryProjection } from '#orders/read-models/status-history.projection';
import { LazyCommitPool } from './foundation.module.js';

/** The stream of an order: how its events make the order, and what is written in the transaction of an append. */
export const ORDER_STREAM: StreamDefinition<Order, OrderEvent> = {
  ...orderFold,
  writers: [
    stockProjection,
    purchaseKeysProjection,
    freedPurchaseKeysProjection,
    personalDataKeysProjection,
    erasedPersonalDataProjection,
    ordersProjection,
    statusHistoryProjection,
    duePingsProjection,
    resentPingsProjection,
  ],
};

const commandHandlers = [
  SubmitPurchaseHandler,
  ChangeStatusHandler,
  FulfillOrderHandler,
  ExpireConfirmationHandler,
  CompletePaymentHandler,
  ReleasePaymentHandler,
  ErasePersonalDataHandler,
];

const useCases = [
  Listings,
  OrderChanges,
  PurchaseCheck,
  PurchaseDrafts,
  PurchaseKeys,
  PurchasePayment,
  // Deadlines follow from the times of events, and the worker compares them with the database's time.
  {
    provide: EventStore,
    inject: [Pool, DatabaseClock, Ids, DatabaseEpoch],
    useFactory: (pool: Pool, clock: DatabaseClock, ids: Ids, epoch: DatabaseEpoch) =>
      new EventStore(pool, ORDER_STREAM, clock, ids, epoch),
  },
  {
    provide: OrderRules,
    inject: [Settings],
    useFactory: (settings: Settings) => new OrderRules(loadStatusCatalogue(settings.STATUS_CATALOGUE_FILE)),
  },
  // Losing the sandbox's own record in a crash loses no acknowledged purchase: its outcome is flushed after it.
  {
    provide: PaymentProvider,
    inject: [LazyCommitPool, Clock],
    useFactory: (pool: Pool, clock: Clock) => new SandboxPaymentProvider(pool, clock),
  },
];

/** Orders: the event store with its writers, and the commands. */
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [...useCases, ...commandHandlers],
  exports: [CqrsModule, ...useCases],
})
export class OrderCoreModule {
  constructor(epoch: DatabaseEpoch, listings: Listings) {
    epoch.onChange(() => listings.forgetAll());
  }
}
