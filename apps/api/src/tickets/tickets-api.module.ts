import { Module } from '@nestjs/common';
import { MailModule } from '#orders/mail.module';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from '#orders/tickets.module';
import { StaffModule } from '../people/staff.module.js';
import { DeliveryReportsController } from './delivery-reports.controller.js';
import { LinkRate } from './link-rate.js';
import { TicketLinksController } from './ticket-links.controller.js';
import { TicketsController } from './tickets.controller.js';
import { UploadReader } from './upload-reader.js';
import { UploadSweep } from './upload-sweep.js';

/** Files of tickets, their links for buyers, and the reports of platforms that deliver. */
@Module({
  imports: [StaffModule, OrdersModule, TicketsModule, MailModule],
  controllers: [TicketsController, TicketLinksController, DeliveryReportsController],
  providers: [LinkRate, UploadReader, UploadSweep],
})
export class TicketsApiModule {}
