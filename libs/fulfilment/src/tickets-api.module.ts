import { Module } from '@nestjs/common';
import { MailModule } from './mail.module.js';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from './tickets.module.js';
import { StaffModule } from '#accounts/staff.module';
import { DeliveryReportsController } from './delivery/delivery-reports.controller.js';
import { LinkRate } from './tickets/link-rate.js';
import { TicketLinksController } from './tickets/ticket-links.controller.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { UploadReader } from './tickets/upload-reader.js';
import { UploadSweep } from './upload-sweep.js';

/** Files of tickets, their links for buyers, and the reports of platforms that deliver. */
@Module({
  imports: [StaffModule, OrdersModule, TicketsModule, MailModule],
  controllers: [TicketsController, TicketLinksController, DeliveryReportsController],
  providers: [LinkRate, UploadReader, UploadSweep],
})
export class TicketsApiModule {}
