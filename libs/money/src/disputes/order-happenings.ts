import { Injectable } from '@nestjs/common';
import { OperatorNames } from '#accounts/operator-names';
import type { OrderEvent } from '#domain/order-events';
import type { RecordedEvent } from '#event-store/event';
import { Mails } from '#fulfilment/mails';
import { TicketDownloads } from '#fulfilment/ticket-downloads';
import { PingQueries } from '#outbound/ping-queries';
import { PlatformReads } from '#outbound/platform-reads';
import { eventLine, type EvidenceLine } from './evidence-lines.js';

/** What happened to an order, and who did it in words. */
export type Happening = Omit<EvidenceLine, 'actor'> & Readonly<{ by: string }>;

/** What happened to an order: by its events, and by what others answered. */
@Injectable()
export class OrderHappenings {
  constructor(
    private readonly mails: Mails,
    private readonly pings: PingQueries,
    private readonly reads: PlatformReads,
    private readonly downloads: TicketDownloads,
    private readonly names: OperatorNames,
  ) {}

  /** In order of time. */
  async of(orderId: string, events: readonly RecordedEvent<OrderEvent>[]): Promise<Happening[]> {
    const others = await Promise.all([this.mailLines(orderId), this.platformLines(orderId), this.opened(orderId)]);
    const lines = [...events.flatMap(eventLine), ...others.flat()];
    const names = await this.names.of(lines.flatMap(({ actor }) => actor ?? []));
    return lines
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
      .map(({ actor, ...line }) => ({ ...line, by: whoIs(actor, names) }));
  }

  /** What mail servers took. */
  private async mailLines(orderId: string): Promise<EvidenceLine[]> {
    return (await this.mails.ofOrder(orderId)).flatMap(({ kind, state, sent_at: at, content }) => {
      if (at === null || (state !== 'accepted' && state !== 'sent')) return [];
      const says = `The buyer's mail server accepted the mail "${kind}".`;
      return [{ at, says, actor: 'system:mail', ...(content && { personal: `Sent to ${content.to}.` }) }];
    });
  }

  /** What the platform where the buyer bought was told, and what it read. Only the last read is known. */
  private async platformLines(orderId: string): Promise<EvidenceLine[]> {
    const [pings, read] = await Promise.all([this.pings.ofOrder(orderId), this.reads.lastOf(orderId)]);
    const told = pings.flatMap(({ delivered_at: at, status_message: status }) =>
      at === null ? [] : [{ at, says: `The platform was told: ${status}.`, actor: 'system:ping' }],
    );
    if (!read) return told;
    const says = `The platform read version ${read.version} of the order.`;
    return [...told, { at: read.at, says, actor: `platform:${read.client_id}` }];
  }

  /** Downloads after the first, which is an event. */
  private async opened(orderId: string): Promise<EvidenceLine[]> {
    return (await this.downloads.ofOrder(orderId)).flatMap(({ at, link, actor, further = 0 }) => {
      const more = further === 0 ? '' : ` ${further} more downloads followed.`;
      return link === null ? [] : [{ at, says: `A ticket was downloaded again by its link.${more}`, actor }];
    });
  }
}

function whoIs(actor: string | undefined, names: ReadonlyMap<string, string>): string {
  const [kind = '', id = ''] = (actor ?? 'system').replace(/^imported: /, '').split(':');
  if (kind === 'operator') return names.get(actor ?? '') ?? 'staff';
  if (kind === 'platform') return `platform ${id}`;
  if (kind === 'provider') return id;
  if (kind === 'link') return 'buyer, by link';
  return kind === 'system' ? 'Willcall' : 'staff';
}
