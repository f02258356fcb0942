import { Module } from '@nestjs/common';
import { MailModule } from './mail.module.js';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from './tickets.module.js';
import { StaffModule } from '#accounts/staff.module';
import { DeliveryReportsController } from './delivery/delivery-reports.controller.js';
import { LinkRate } from './tickets/link-rate.js';
import { TicketLinksController } from './tickets/ticket-links.controller.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { TransferFiles } from './transfers/transfer-files.js';
import { TransferProofs } from './transfers/transfer-proofs.js';
import { TransferSources } from './transfers/transfer-sources.js';
import { TransferSourcesController } from './transfers/transfer-sources.controller.js';
import { TransferView } from './transfers/transfer-view.js';
import { TransfersController } from './transfers/transfers.controller.js';
import { TransferDeadlines } from './transfers/transfer-deadlines.js';
import { Transfers } from './transfers/transfers.js';
import { UploadReader } from './tickets/upload-reader.js';
import { UploadSweep } from './upload-sweep.js';

/** Files of tickets, their links for buyers, and the reports of platforms that deliver. */
@Module({
  imports: [StaffModule, OrdersModule, TicketsModule, MailModule],
  controllers: [
    TicketsController,
    TicketLinksController,
    DeliveryReportsController,
    TransfersController,
    TransferSourcesController,
  ],
  providers: [
    LinkRate,
    UploadReader,
    UploadSweep,
    TransferDeadlines,
    TransferFiles,
    TransferProofs,
    TransferSources,
    TransferView,
    Transfers,
  ],
})
export class TicketsApiModule {}
