import { Module } from '@nestjs/common';
import { StorageModule } from '#platform/storage.module';
import { OrdersModule } from '#orders/orders.module';
import { BarcodeDigests } from './barcode-digests.js';
import { FileScanner } from './tickets/file-scanner.js';
import { ObjectRemovals } from './tickets/object-removals.js';
import { TicketCopies } from './ticket-copies.js';
import { TicketDownloads } from './ticket-downloads.js';
import { TicketFiles } from './tickets/ticket-files.js';
import { TicketLinks } from './tickets/ticket-links.js';
import { TicketLabels } from './tickets/ticket-labels.js';
import { TicketUpload } from './tickets/ticket-upload.js';
import { Tickets } from './tickets/tickets.js';

const services = [
  BarcodeDigests,
  FileScanner,
  ObjectRemovals,
  TicketCopies,
  TicketDownloads,
  TicketFiles,
  TicketLabels,
  TicketLinks,
  TicketUpload,
  Tickets,
];

@Module({ imports: [OrdersModule, StorageModule], providers: services, exports: [...services, StorageModule] })
export class TicketsModule {}
