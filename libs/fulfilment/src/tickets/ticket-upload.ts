import { Injectable } from '@nestjs/common';
import { DomainError, domainError } from '#domain/domain-error';
import type { TicketFile, TicketFileType } from '#domain/order-events';
import type { Metadata } from '#event-store/event';
import { ProjectionConflict } from '#event-store/event-store';
import { Ids } from '#base/ids';
import { USED_BARCODES } from '#orders/barcodes.projection';
import { NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import { OrderChanges } from '#orders/order-changes';
import { ObjectRemovals } from './object-removals.js';
import { type NewFile, type OrderKey, TicketFiles } from './ticket-files.js';
import { type AttachedTicket, TicketLabels } from './ticket-labels.js';
import type { TicketLabel } from './tickets.js';
import { ORDER_TICKETS, ticketFileKey, type TicketRow } from '#orders/tickets.projection';

/** A file whose content was checked, or made here (`isMade`). A seat may have several that were made of its barcode. */
export type NewTicket = TicketLabel & Readonly<{ type: TicketFileType; file: NewFile; isMade?: boolean }>;

/** Files that are stored, but that no event names yet. `rows`: for the projections. */
export type StoredFiles = Readonly<{
  tickets: readonly AttachedTicket[];
  files: readonly TicketFile[];
  rows: readonly TicketRow[];
}>;

// The barcode is in use by the seat, so the file need not say so.
const BY_SEAT = { barcode_digest: null };

// Each further attempt encrypts the files anew.
const MAX_ATTEMPTS = 3;

/** Stores the files of an upload and records them, all or none. */
@Injectable()
export class TicketUpload {
  constructor(
    private readonly files: TicketFiles,
    private readonly removals: ObjectRemovals,
    private readonly orders: OrderChanges,
    private readonly labels: TicketLabels,
    private readonly ids: Ids,
  ) {}

  /** @throws DomainError if the order takes no tickets, or another ticket of the event has the barcode */
  async run(orderId: string, uploads: readonly NewTicket[], metadata: Metadata): Promise<readonly AttachedTicket[]> {
    return await whileRacing(async () => {
      const { order, attachments } = await this.keyed(orderId);
      const { tickets, files, rows } = await this.store(orderId, order, uploads, metadata.actor);
      // The order must not change between, because an erasure would delete the key of the files.
      const command = { type: 'AttachTickets', files, expectedVersion: order.version } as const;
      await this.orders.apply(orderId, command, metadata, { tickets: rows, ...attachments });
      return tickets;
    });
  }

  /** The order with a key, and what an append has to write if that is new. @throws DomainError if there is no such order */
  async keyed(orderId: string) {
    const order = await this.files.orderKey(orderId);
    if (!order) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    const key = order.key ?? this.labels.newKey();
    const attachments = order.key === null ? { personalDataKey: { key, digests: NO_BUYER_DIGESTS } } : {};
    return { order: { ...order, key }, attachments };
  }

  /** Stores the files. They are removed again if no event names them. */
  async store(
    orderId: string,
    order: OrderKey & { key: Buffer },
    uploads: readonly NewTicket[],
    actor: string,
  ): Promise<StoredFiles> {
    const prepared = uploads.map(({ file, name, barcode, seat, type }) => {
      return {
        file,
        ticket: { id: this.ids.next('tkt'), name, barcode, seat, type, size: file.size, sha256: file.sha256 },
      };
    });
    const tickets = prepared.map(({ ticket }) => ticket);
    await this.removals.announce(tickets.map(({ id }) => ticketFileKey(orderId, id)));
    for (const { ticket, file } of prepared) await this.files.store(orderId, ticket.id, order.key, order, file);
    const files = tickets.map(({ id, type, size, sha256, seat }) => {
      return { id, type, size, sha256, ...(seat !== null && { seat }) };
    });
    const rows = await this.labels.rows(orderId, order, tickets, actor);
    return { tickets, files, rows: rows.map((row, index) => (uploads[index]?.isMade ? { ...row, ...BY_SEAT } : row)) };
  }
}

/** Tries again while others change the order. @throws DomainError, also if a barcode is in use in the event */
export async function whileRacing<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProjectionConflict && [ORDER_TICKETS, USED_BARCODES].includes(error.projection)) {
        throw domainError('CONFLICT', 'Another ticket of the event has this barcode.');
      }
      if (!isRace(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function isRace(error: unknown): boolean {
  if (error instanceof ProjectionConflict) return true;
  return error instanceof DomainError && error.code === 'VERSION_STALE';
}
