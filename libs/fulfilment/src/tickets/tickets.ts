import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import { domainError } from '#domain/domain-error';
import type { TicketFileType } from '#domain/order-events';
import type { Metadata } from '#event-store/event';
import { parseJson } from '#base/json';
import { OrderChanges } from '#orders/order-changes';
import { ticketLabelId } from '#orders/tickets.projection';
import { TicketDownloads } from '../ticket-downloads.js';
import { TicketFiles } from './ticket-files.js';

/** What people know of a ticket. */
export type TicketLabel = Readonly<{ name: string; barcode: string | null; seat: string | null }>;

/** `label` is null after the buyer's data was erased. Times are ISO 8601. */
export type StoredTicket = Readonly<{
  id: string;
  type: TicketFileType;
  size: number;
  sha256: string;
  attached_at: string;
  actor: string;
  withdrawn_at: string | null;
  label: TicketLabel | null;
}>;

export type OpenedTicket = Readonly<{ ticket: StoredTicket; content: Readable }>;

/** The tickets of orders, as files. */
@Injectable()
export class Tickets {
  constructor(
    private readonly pool: Pool,
    private readonly files: TicketFiles,
    private readonly orders: OrderChanges,
    private readonly downloads: TicketDownloads,
    private readonly sealer: Sealer,
  ) {}

  /** Oldest first, those that were withdrawn included. */
  async ofOrder(orderId: string): Promise<StoredTicket[]> {
    const { rows } = await this.pool.query<TicketRecord>(`${SELECT} where t.order_id = $1 order by t.id`, [orderId]);
    return rows.map((row) => this.ticketOf(row));
  }

  /** The same; undefined if there is no such order. */
  async listed(orderId: string): Promise<StoredTicket[] | undefined> {
    const [tickets, order] = await Promise.all([this.ofOrder(orderId), this.files.orderKey(orderId)]);
    return order && tickets;
  }

  /** Undefined if there is none. @param orderId undefined for that of any order */
  async find(ticketId: string, orderId?: string): Promise<(StoredTicket & { order_id: string }) | undefined> {
    const values = [ticketId, orderId ?? null];
    const { rows } = await this.pool.query<TicketRecord>(
      `${SELECT} where t.id = $1 and ($2::text is null or t.order_id = $2)`,
      values,
    );
    const [row] = rows;
    return row && { ...this.ticketOf(row), order_id: row.order_id };
  }

  /** Takes the file back. False if there was nothing to take back. */
  async remove(orderId: string, ticketId: string, metadata: Metadata): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { type: 'RemoveTicket', ticketId }, metadata);
    return recorded;
  }

  /**
   * The content, once its download is recorded: whoever reads it is in the order's timeline.
   * @param link the id of the link, null for staff
   * @throws DomainError if the order no longer hands it out
   */
  async open(ticketId: string, orderId: string, link: string | null, metadata: Metadata): Promise<OpenedTicket> {
    const [ticket, order] = await Promise.all([this.find(ticketId, orderId), this.files.orderKey(orderId)]);
    const key = order?.key;
    if (!ticket || !order || !key || ticket.label === null) {
      throw domainError('TICKET_UNKNOWN', 'There is no such ticket, or it was erased.');
    }
    const content = await this.files.read(orderId, ticketId, { ...order, key });
    try {
      await this.downloads.record({ orderId, ticketId, link }, metadata);
    } catch (error) {
      content.destroy();
      throw error;
    }
    return { ticket, content };
  }

  private ticketOf({ key, sealed, order_id: orderId, sha256, attached_at, withdrawn_at, ...row }: TicketRecord) {
    return {
      ...row,
      sha256: sha256.toString('hex'),
      attached_at: attached_at.toISOString(),
      withdrawn_at: withdrawn_at?.toISOString() ?? null,
      label: this.labelOf(orderId, row.id, key, sealed),
    };
  }

  private labelOf(orderId: string, ticketId: string, key: Buffer | null, sealed: Buffer): TicketLabel | null {
    if (!key) return null;
    try {
      return parseJson(this.sealer.openNote(orderId, ticketLabelId(ticketId), key, sealed)) as TicketLabel;
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}

type TicketRecord = {
  id: string;
  order_id: string;
  type: TicketFileType;
  size: number;
  sha256: Buffer;
  attached_at: Date;
  actor: string;
  withdrawn_at: Date | null;
  sealed: Buffer;
  key: Buffer | null;
};

const SELECT = `
  select t.id, t.order_id, t.type, t.size, t.sha256, t.attached_at, t.actor, t.withdrawn_at, t.sealed, k.key
  from order_tickets t left join personal_data_keys k on k.order_id = t.order_id`;
