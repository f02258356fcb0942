import { Module } from '@nestjs/common';
import { MailModule } from '#fulfilment/mail.module';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from '#fulfilment/tickets.module';
import { PingsModule } from '#outbound/pings.module';
import { RepairModule } from '#outbound/repair.module';
import { WebhooksModule } from '#outbound/webhooks.module';
import { RecordedRequestsModule } from '#web/recorded-requests.module';
import { StaffModule } from '#accounts/staff.module';
import { DeliveryEntries } from './timeline/delivery-entries.js';
import { OrderTimeline } from './timeline/order-timeline.js';
import { StaffEntries } from './timeline/staff-entries.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { TransactionsController } from './timeline/transactions.controller.js';
import { Transactions } from './timeline/transactions.js';

/** All that is known of an order and of a transaction, for staff. */
@Module({
  imports: [
    StaffModule,
    OrdersModule,
    PingsModule,
    RepairModule,
    WebhooksModule,
    TicketsModule,
    MailModule,
    RecordedRequestsModule,
  ],
  controllers: [TimelineController, TransactionsController],
  providers: [DeliveryEntries, StaffEntries, OrderTimeline, Transactions],
})
export class TimelineApiModule {}
