import { Injectable } from '@nestjs/common';
import type { Metadata } from '#event-store/event';
import { MadePasses } from '../passes/made-passes.js';
import type { AttachedTicket } from '../tickets/ticket-labels.js';
import { Tickets } from '../tickets/tickets.js';
import { type MadeKind, madeName } from '../tickets/made-file.js';
import { PdfTickets } from './pdf-tickets.js';

/** Tickets that are made here, of barcodes. */
@Injectable()
export class MadeTickets {
  constructor(
    private readonly pdfs: PdfTickets,
    private readonly passes: MadePasses,
    private readonly tickets: Tickets,
  ) {}

  /** @param seats all if undefined @throws DomainError if one has no barcode, or nobody can sign passes */
  async make(
    kind: MadeKind,
    orderId: string,
    seats: readonly string[] | undefined,
    metadata: Metadata,
  ): Promise<readonly AttachedTicket[]> {
    return await (kind === 'pdf' ? this.pdfs : this.passes).make(orderId, seats, metadata);
  }

  /** After a seat got another barcode: its tickets are made anew in place of the earlier ones. Nothing if none were made here. */
  async replace(orderId: string, seat: string, metadata: Metadata): Promise<void> {
    const live = (await this.tickets.ofOrder(orderId)).filter(({ withdrawn_at: at }) => at === null);
    for (const kind of ['pdf', 'pkpass'] as const) {
      const earlier = live.filter(({ label }) => label?.name === madeName(kind, seat));
      if (earlier.length === 0) continue;
      if (kind === 'pdf' || this.passes.canSign) await this.make(kind, orderId, [seat], metadata);
      for (const { id } of earlier) await this.tickets.remove(orderId, id, metadata);
    }
  }
}
