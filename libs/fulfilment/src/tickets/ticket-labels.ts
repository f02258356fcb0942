import { Inject, Injectable } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { TicketFileType } from '#domain/order-events';
import { Clock } from '#base/clock';
import { BarcodeDigests } from '../barcode-digests.js';
import type { OrderKey } from './ticket-files.js';
import type { TicketLabel } from './tickets.js';
import { ticketLabelId } from '#orders/tickets.projection';
import type { TicketRow } from '#orders/tickets.projection';

export type AttachedTicket = TicketLabel & Readonly<{ id: string; type: TicketFileType; size: number; sha256: string }>;

/** The rows of new tickets, with what only the order's key opens. */
@Injectable()
export class TicketLabels {
  constructor(
    private readonly sealer: Sealer,
    private readonly barcodes: BarcodeDigests,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  newKey(): Buffer {
    return this.sealer.newNamedOrderKey();
  }

  async rows(
    orderId: string,
    { key, personal, event_id }: OrderKey & { key: Buffer },
    tickets: readonly AttachedTicket[],
    actor: string,
  ): Promise<TicketRow[]> {
    const rows = tickets.map(async ({ id, type, size, sha256, ...label }) => {
      const text = JSON.stringify({ name: label.name, barcode: label.barcode, seat: label.seat });
      const sealed = this.sealer.sealNote(orderId, ticketLabelId(id), key, text, personal);
      const digest = label.barcode === null ? null : await this.barcodes.of(event_id, label.barcode);
      const common = { id, order_id: orderId, event_id, attached_at: this.clock.iso(), actor, type, size };
      return { ...common, sha256: `\\x${sha256}`, sealed: hex(sealed), barcode_digest: digest && hex(digest) };
    });
    return await Promise.all(rows);
  }
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
