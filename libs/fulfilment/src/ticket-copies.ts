import { Injectable } from '@nestjs/common';
import { UnsealError } from '#base/sealing';
import { MissingObject } from '#platform/object-store';
import { TicketFiles } from './tickets/ticket-files.js';
import { type StoredTicket, Tickets } from './tickets/tickets.js';

/** `content` is null if the file is gone, or beyond what was asked for. */
export type TicketCopy = Readonly<{ ticket: StoredTicket; content: Buffer | null }>;

/** The files of an order's tickets for those who collect what happened, e.g. as evidence. Nobody has downloaded them by that. */
@Injectable()
export class TicketCopies {
  constructor(
    private readonly tickets: Tickets,
    private readonly files: TicketFiles,
  ) {}

  /** Oldest first, those that were withdrawn included. @param most bytes of all contents together */
  async ofOrder(orderId: string, most: number): Promise<TicketCopy[]> {
    const copies: TicketCopy[] = [];
    let left = most;
    for (const ticket of await this.tickets.ofOrder(orderId)) {
      const content = ticket.size <= left ? await this.contentOf(orderId, ticket.id) : null;
      left -= content?.length ?? 0;
      copies.push({ ticket, content });
    }
    return copies;
  }

  private async contentOf(orderId: string, ticketId: string): Promise<Buffer | null> {
    const order = await this.files.orderKey(orderId);
    const key = order?.key;
    if (!order || !key) return null;
    try {
      const pieces: Buffer[] = [];
      for await (const piece of await this.files.read(orderId, ticketId, { ...order, key }))
        pieces.push(piece as Buffer);
      return Buffer.concat(pieces);
    } catch (error) {
      if (error instanceof MissingObject || error instanceof UnsealError) return null;
      throw error;
    }
  }
}
