import { Module } from '@nestjs/common';
import { MailModule } from '#orders/mail.module';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from '#orders/tickets.module';
import { PingsModule } from '#pings/pings.module';
import { RepairModule } from '#pings/repair/repair.module';
import { WebhooksModule } from '#webhooks/webhooks.module';
import { RecordedRequestsModule } from '../../http/recorded-requests.module.js';
import { StaffModule } from '../../people/staff.module.js';
import { DeliveryEntries } from './delivery-entries.js';
import { OrderTimeline } from './order-timeline.js';
import { StaffEntries } from './staff-entries.js';
import { TimelineController } from './timeline.controller.js';
import { TransactionsController } from './transactions.controller.js';
import { Transactions } from './transactions.js';

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
