import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Ids } from '#base/ids';
import { Settings } from '#base/settings';
import { domainError } from '#domain/domain-error';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '#orders/order-changes';
import { OrderView } from '#orders/order-view';
import { TrueTypeFont } from '#platform/truetype-font';
import { TicketDownloads } from '../ticket-downloads.js';
import type { SentFile } from '../tickets/send-ticket.js';
import { labelPdf } from './label-pdf.js';

/** The labels of parcels. They are drawn when they are read, so an address that was corrected is on them. */
@Injectable()
export class ParcelLabels {
  constructor(
    private readonly orders: OrderChanges,
    private readonly view: OrderView,
    private readonly downloads: TicketDownloads,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  /** @throws DomainError if the order has no label of ours */
  async print(orderId: string, metadata: Metadata): Promise<Readonly<{ id: string; url: string; isNew: boolean }>> {
    const command = { type: 'PrintLabel', labelId: this.ids.next('lbl') } as const;
    const { order, recorded } = await this.orders.apply(orderId, command, metadata);
    const url = `${this.settings.PUBLIC_URL}/backoffice/v1/orders/${orderId}/label`;
    return { id: order.delivery.parcel.labelId ?? '', url, isNew: recorded };
  }

  /** The PDF, once it is recorded who reads it. @throws DomainError if there is none, or its address was erased */
  async open(orderId: string, metadata: Metadata): Promise<SentFile> {
    const { id, isNew } = await this.print(orderId, metadata);
    const revealed = await this.view.revealed(orderId);
    if (isNew || !revealed) throw domainError('TICKET_UNKNOWN', 'There is no label, or its address was erased.');
    const bytes = labelPdf(TrueTypeFont.load(), orderId, revealed.delivery_method.data);
    await this.downloads.record({ orderId, ticketId: id, link: null }, metadata);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const ticket = { type: 'application/pdf', size: bytes.length, sha256, label: { name: `Label ${orderId}.pdf` } };
    return { ticket, content: Readable.from([bytes]) };
  }
}
