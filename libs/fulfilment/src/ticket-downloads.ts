import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { Metadata } from '#event-store/event';
import { VersionConflict } from '#event-store/event-store';
import type { Clock } from '#base/clock';
import { OrderChanges } from '#orders/order-changes';

/** `link` is its id, null for staff. */
type Handed = Readonly<{ orderId: string; ticketId: string; link: string | null }>;

/** `at` is ISO 8601. `further` downloads came after it and are not listed. */
export type TicketDownload = Readonly<{
  id: number;
  at: string;
  actor: string;
  transaction_id: string;
  ticket_id: string;
  link: string | null;
  further?: number;
}>;

// Whoever has a link must not fill the table. The downloads after these are only counted.
const MOST_ROWS = 1_000;

// All files of an order may be opened at once, and of each attempt at least one download becomes an event.
const MAX_ATTEMPTS = 30;

/** Who opened which ticket. The first download by a link changes the order and is an event; all others stand beside it and raise no version. */
@Injectable()
export class TicketDownloads {
  constructor(
    private readonly pool: Pool,
    private readonly orders: OrderChanges,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** @throws DomainError if the order no longer hands it out by a link */
  async record({ orderId, ticketId, link }: Handed, metadata: Metadata): Promise<void> {
    if (link !== null && (await this.isFirst({ orderId, ticketId, link }, metadata))) return;
    const { actor, transaction_id: transactionId } = metadata;
    const at = new Date(this.clock.now());
    await this.pool.query(RECORD, [orderId, ticketId, link, actor, transactionId, at, MOST_ROWS]);
  }

  /** Without those that are events. */
  async ofOrder(orderId: string): Promise<TicketDownload[]> {
    const { rows } = await this.pool.query<DownloadRow>(OF_ORDER, [orderId]);
    return rows.map(({ at, further, ...row }) => ({
      ...row,
      at: at.toISOString(),
      ...(further > 0 && { further }),
    }));
  }

  private async isFirst(handed: Handed & { link: string }, metadata: Metadata): Promise<boolean> {
    const { orderId, ticketId, link } = handed;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const command = { type: 'RecordTicketDownload', ticketId, link } as const;
        return (await this.orders.apply(orderId, command, metadata)).recorded;
      } catch (error) {
        if (!(error instanceof VersionConflict) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

type DownloadRow = Omit<TicketDownload, 'at' | 'further'> & { at: Date; further: number };

const RECORD = `
  with listed as (select count(*) as rows, max(id) as last from ticket_downloads where order_id = $1),
  counted as (
    update ticket_downloads d set further = d.further + 1 from listed
    where listed.rows >= $7 and d.id = listed.last)
  insert into ticket_downloads (order_id, ticket_id, link, actor, transaction_id, at)
  select $1, $2, $3, $4, $5, $6::timestamptz from listed where listed.rows < $7`;

const OF_ORDER = `
  select id, at, actor, transaction_id, ticket_id, link, further from ticket_downloads where order_id = $1 order by id`;
