import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { domainError } from '#domain/domain-error';
import { fileOf } from '#domain/handover';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { seatsOf, wrongSeat } from '#domain/seats';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { OrderShows } from '#orders/order-shows';
import { TrueTypeFont } from '#platform/truetype-font';
import type { AttachedTicket } from '../tickets/ticket-labels.js';
import { type NewTicket, TicketUpload } from '../tickets/ticket-upload.js';
import { Tickets } from '../tickets/tickets.js';
import { BarcodeVault, type GivenBarcode } from './barcode-vault.js';
import { ticketPdf } from './ticket-pdf.js';

const madeName = (seat: string) => `Ticket, seat ${seat}.pdf`;

/** Tickets as PDF, for sellers who have only their barcodes. */
@Injectable()
export class MadeTickets {
  private font: TrueTypeFont | undefined;

  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly shows: OrderShows,
    private readonly vault: BarcodeVault,
    private readonly upload: TicketUpload,
    private readonly tickets: Tickets,
  ) {}

  /** One file for each of these seats, which are not stored yet. */
  async drawn(orderId: string, barcodes: readonly GivenBarcode[]): Promise<NewTicket[]> {
    const show = (await this.shows.of([orderId])).get(orderId);
    const { title = null, starts = null, venue = null, section = null, row = null } = show ?? {};
    this.font ??= TrueTypeFont.load();
    const font = this.font;
    return barcodes.map(({ seat, barcode }) => {
      const printed = { title, when: starts, venue, section, row, seat, barcode, orderId };
      const bytes = ticketPdf(font, printed);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const file = { size: bytes.length, sha256, content: () => oneChunk(bytes) };
      return { name: madeName(seat), barcode, seat, type: 'application/pdf', file };
    });
  }

  /** Makes them anew and stores them. @param seats all if undefined @throws DomainError if one has no barcode */
  async make(
    orderId: string,
    seats: readonly string[] | undefined,
    metadata: Metadata,
  ): Promise<readonly AttachedTicket[]> {
    const { state } = await this.store.read(orderStream(orderId));
    if (!state.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    const asked = seats ?? seatsOf(state);
    const wrong = wrongSeat(state, asked, (index) => `seats[${index}]`);
    if (wrong) throw wrong;
    const { order } = await this.upload.keyed(orderId);
    const known = await this.vault.open(orderId, order.key);
    const given = new Set(state.delivery.barcodes.map(({ seat }) => seat));
    const barcodes = asked.flatMap((seat) => (given.has(seat) ? (known.get(seat) ?? []) : []));
    if (barcodes.length < asked.length) throw domainError('TRANSITION_NOT_ALLOWED', 'A seat has no barcode yet.');
    return await this.upload.run(orderId, await this.drawn(orderId, barcodes), metadata);
  }

  /** After a seat got another barcode: its ticket is made anew in place of the earlier one. Nothing if it was not made here. */
  async replace(orderId: string, before: KnownOrder, seat: string, metadata: Metadata): Promise<void> {
    const earlier = fileOf(before, seat);
    const file = earlier === null ? undefined : await this.tickets.find(earlier, orderId);
    if (file?.label?.name !== madeName(seat)) return;
    await this.make(orderId, [seat], metadata);
    await this.tickets.remove(orderId, file.id, metadata);
  }
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
