import { Module } from '@nestjs/common';
import { MailModule } from './mail.module.js';
import { OrdersApiModule } from '#orders/orders-api.module';
import { OrdersModule } from '#orders/orders.module';
import { TicketsModule } from './tickets.module.js';
import { StaffModule } from '#accounts/staff.module';
import { AddressLimitModule } from '#web/address-limit.module';
import { BarcodeLists } from './barcodes/barcode-list.js';
import { BarcodeVault } from './tickets/barcode-vault.js';
import { BarcodesController } from './barcodes/barcodes.controller.js';
import { MadeTicketsController } from './barcodes/made-tickets.controller.js';
import { MadeTickets } from './barcodes/made-tickets.js';
import { OrderPageController } from './barcodes/order-page.controller.js';
import { OrderPageLinks } from './barcodes/order-page-links.js';
import { KnownBarcodes } from './tickets/known-barcodes.js';
import { PdfTickets } from './barcodes/pdf-tickets.js';
import { ParcelLabels } from './barcodes/parcel-labels.js';
import { SeatBarcodes } from './barcodes/seat-barcodes.js';
import { ChoiceLinksController } from './choices/choice-links.controller.js';
import { ChoicePage } from './choices/choice-page.js';
import { ChoicesController } from './choices/choices.controller.js';
import { Choices } from './choices/choices.js';
import { DeliveryReportsController } from './delivery/delivery-reports.controller.js';
import { MadePasses } from './passes/made-passes.js';
import { PassAccess } from './passes/pass-access.js';
import { PassDevicesController } from './passes/pass-devices.controller.js';
import { PassIssuer } from './passes/pass-issuer.js';
import { PassRegistrations } from './passes/pass-registrations.js';
import { PassShows } from './passes/pass-shows.js';
import { PassSigner } from './passes/pass-signer.js';
import { PassesController } from './passes/passes.controller.js';
import { Passes } from './passes/passes.js';
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
  imports: [StaffModule, OrdersApiModule, OrdersModule, TicketsModule, MailModule, AddressLimitModule],
  controllers: [
    TicketsController,
    TicketLinksController,
    DeliveryReportsController,
    TransfersController,
    TransferSourcesController,
    BarcodesController,
    MadeTicketsController,
    OrderPageController,
    PassDevicesController,
    PassesController,
    ChoicesController,
    ChoiceLinksController,
  ],
  providers: [
    BarcodeLists,
    BarcodeVault,
    KnownBarcodes,
    ChoicePage,
    Choices,
    LinkRate,
    MadePasses,
    MadeTickets,
    OrderPageLinks,
    ParcelLabels,
    PassAccess,
    PassIssuer,
    PassRegistrations,
    PassShows,
    PassSigner,
    Passes,
    PdfTickets,
    SeatBarcodes,
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
