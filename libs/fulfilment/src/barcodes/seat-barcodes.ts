import { Injectable } from '@nestjs/common';
import { domainError } from '#domain/domain-error';
import { isHandedOver } from '#domain/handover';
import type { Fulfillment, OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { seatsOf } from '#domain/seats';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { OrderChanges } from '#orders/order-changes';
import { TicketUpload, whileRacing } from '../tickets/ticket-upload.js';
import { BarcodeVault, type GivenBarcode } from '../tickets/barcode-vault.js';
import { PdfTickets } from './pdf-tickets.js';

/** The barcodes of an order's seats. With the last one its tickets are made. */
@Injectable()
export class SeatBarcodes {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly upload: TicketUpload,
    private readonly vault: BarcodeVault,
    private readonly pdfs: PdfTickets,
  ) {}

  /** Returns whether anything was recorded. @param url where the buyer opens all tickets @throws DomainError */
  async give(orderId: string, given: readonly GivenBarcode[], url: string, metadata: Metadata): Promise<boolean> {
    const plain = given.map(({ barcode }) => barcode.replaceAll(/\s/g, ''));
    if (new Set(plain).size < plain.length) throw domainError('CONFLICT', 'Two seats have the same barcode.');
    return await whileRacing(async () => {
      const state = await this.read(orderId);
      const { order, attachments } = await this.upload.keyed(orderId);
      const digests = await this.vault.digests(order.event_id, given);
      const all = await this.allOf(orderId, state, order.key, given);
      const uploads = all === undefined ? undefined : await this.pdfs.drawn(orderId, all);
      const stored = uploads && (await this.upload.store(orderId, order, uploads, metadata.actor));
      const fulfillment: Fulfillment = { type: 'download', data: { url } };
      const command = {
        type: 'GiveBarcodes',
        barcodes: digests,
        made: stored && { files: stored.files, fulfillment },
        expectedVersion: order.version,
      } as const;
      const fresh = given.filter(({ seat }) => !hasBarcode(state, seat));
      const { recorded } = await this.orders.apply(orderId, command, metadata, {
        ...attachments,
        barcodes: this.vault.rows(orderId, order, fresh),
        ...(stored && { tickets: stored.rows }),
      });
      return recorded;
    });
  }

  /** The same for one seat that has a barcode already. */
  async replace(orderId: string, given: Required<GivenBarcode>, metadata: Metadata): Promise<boolean> {
    return await whileRacing(async () => {
      const { order, attachments } = await this.upload.keyed(orderId);
      const [barcode] = await this.vault.digests(order.event_id, [given]);
      if (!barcode) throw new Error('A barcode has a digest.');
      const command = { type: 'ReplaceBarcode', barcode, note: given.reason, expectedVersion: order.version } as const;
      const rows = this.vault.rows(orderId, order, [given]);
      return (await this.orders.apply(orderId, command, metadata, { ...attachments, barcodes: rows })).recorded;
    });
  }

  /** @throws DomainError if there is no such order */
  async read(orderId: string): Promise<KnownOrder> {
    const { state } = await this.store.read(orderStream(orderId));
    if (!state.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    return state;
  }

  /** The barcodes of all seats, with these. Undefined if that is not all, or if the tickets were handed over before. */
  private async allOf(
    orderId: string,
    state: KnownOrder,
    key: Buffer,
    given: readonly GivenBarcode[],
  ): Promise<readonly GivenBarcode[] | undefined> {
    if (isHandedOver(state) || state.status?.status !== 'confirmed') return undefined;
    const known = await this.vault.open(orderId, key);
    const all = seatsOf(state).flatMap((seat) => {
      const before = hasBarcode(state, seat) ? known.get(seat) : undefined;
      return before ?? given.find((one) => one.seat === seat) ?? [];
    });
    return all.length === seatsOf(state).length ? all : undefined;
  }
}

function hasBarcode({ delivery }: KnownOrder, seat: string): boolean {
  return delivery.barcodes.some((one) => one.seat === seat && one.digest !== null);
}
