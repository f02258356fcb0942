import { Injectable } from '@nestjs/common';
import { DomainError, domainError } from '#domain/domain-error';
import type { TicketFileType } from '#domain/order-events';
import type { Metadata } from '#event-store/event';
import { ProjectionConflict } from '#event-store/event-store';
import { Ids } from '#base/ids';
import { NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import { OrderChanges } from '#orders/order-changes';
import { ObjectRemovals } from './object-removals.js';
import type { SpooledFile } from './spooled-file.js';
import { type OrderKey, TicketFiles } from './ticket-files.js';
import { type AttachedTicket, TicketLabels } from './ticket-labels.js';
import type { TicketLabel } from './tickets.js';
import { ORDER_TICKETS, ticketFileKey } from '#orders/tickets.projection';

/** A file whose content was checked. */
export type NewTicket = TicketLabel & Readonly<{ type: TicketFileType; file: SpooledFile }>;

type Prepared = AttachedTicket & Readonly<{ file: SpooledFile }>;

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
  async run(orderId: string, uploads: readonly NewTicket[], metadata: Metadata): Promise<AttachedTicket[]> {
    for (let attempt = 1; ; attempt += 1) {
      const order = await this.files.orderKey(orderId);
      if (!order) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
      const prepared = uploads.map(({ file, ...label }): Prepared => {
        return { id: this.ids.next('tkt'), ...label, size: file.size, sha256: file.sha256, file };
      });
      try {
        await this.attach(orderId, order, prepared, metadata);
        return prepared.map(attachedTicket);
      } catch (error) {
        if (error instanceof ProjectionConflict && error.projection === ORDER_TICKETS) {
          throw domainError('CONFLICT', 'Another ticket of the event has this barcode.');
        }
        if (!isRace(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** The order must not change between, because an erasure would delete the key of the files. */
  private async attach(
    orderId: string,
    order: OrderKey,
    tickets: readonly Prepared[],
    metadata: Metadata,
  ): Promise<void> {
    const key = order.key ?? this.labels.newKey();
    await this.removals.announce(tickets.map(({ id }) => ticketFileKey(orderId, id)));
    for (const { id, file } of tickets) await this.files.store(orderId, id, key, order, file);
    const rows = await this.labels.rows(orderId, { ...order, key }, tickets, metadata.actor);
    const files = tickets.map(({ id, type, size, sha256, seat }) => {
      return { id, type, size, sha256, ...(seat !== null && { seat }) };
    });
    await this.orders.apply(orderId, { type: 'AttachTickets', files, expectedVersion: order.version }, metadata, {
      tickets: rows,
      ...(order.key === null && { personalDataKey: { key, digests: NO_BUYER_DIGESTS } }),
    });
  }
}

function attachedTicket({ id, name, type, size, sha256, barcode, seat }: Prepared): AttachedTicket {
  return { id, name, type, size, sha256, barcode, seat };
}

function isRace(error: unknown): boolean {
  if (error instanceof ProjectionConflict) return true;
  return error instanceof DomainError && error.code === 'VERSION_STALE';
}
