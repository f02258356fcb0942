import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Metadata } from '#event-store/event';
import { OrderShows } from '#orders/order-shows';
import { TrueTypeFont } from '#platform/truetype-font';
import type { AttachedTicket } from '../tickets/ticket-labels.js';
import { type NewTicket, TicketUpload } from '../tickets/ticket-upload.js';
import type { GivenBarcode } from '../tickets/barcode-vault.js';
import { KnownBarcodes } from '../tickets/known-barcodes.js';
import { madeFile } from '../tickets/made-file.js';
import { ticketPdf } from './ticket-pdf.js';

/** Tickets as PDF, for sellers who have only their barcodes. */
@Injectable()
export class PdfTickets {
  private font: TrueTypeFont | undefined;

  constructor(
    private readonly shows: OrderShows,
    private readonly barcodes: KnownBarcodes,
    private readonly upload: TicketUpload,
  ) {}

  /** One file for each of these seats, which are not stored yet. */
  async drawn(orderId: string, barcodes: readonly GivenBarcode[]): Promise<NewTicket[]> {
    const show = (await this.shows.of([orderId])).get(orderId);
    const { title = null, starts = null, venue = null, section = null, row = null } = show ?? {};
    this.font ??= TrueTypeFont.load();
    const font = this.font;
    const drawn: NewTicket[] = [];
    for (const given of barcodes) {
      const { seat, barcode } = given;
      const printed = { title, when: starts, venue, section, row, seat, barcode, orderId };
      drawn.push(madeFile('pdf', given, ticketPdf(font, printed)));
      // Drawing takes the processor for a while. Others have their turn between.
      await turn();
    }
    return drawn;
  }

  /** Makes them anew and stores them. @param seats all if undefined @throws DomainError if one has no barcode */
  async make(
    orderId: string,
    seats: readonly string[] | undefined,
    metadata: Metadata,
  ): Promise<readonly AttachedTicket[]> {
    const barcodes = await this.barcodes.ofSeats(orderId, seats);
    return await this.upload.run(orderId, await this.drawn(orderId, barcodes), metadata);
  }
}
