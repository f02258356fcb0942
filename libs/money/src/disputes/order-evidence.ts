import { Injectable } from '@nestjs/common';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import { Mails } from '#fulfilment/mails';
import { PingQueries } from '#outbound/ping-queries';
import { PlatformReads } from '#outbound/platform-reads';
import type { DisputeEvidence } from '#payments/provider-events';
import { DisputedBuyers } from './disputed-buyers.js';
import { buyerLines, deliveredOn, eventLine, type EvidenceLine, trackingIn } from './evidence-lines.js';

// What Stripe takes of a free text.
const LONGEST_TEXT = 20_000;

/** What happened to an order, as a short text for the bank: who did what, and when. */
@Injectable()
export class OrderEvidence {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly buyers: DisputedBuyers,
    private readonly mails: Mails,
    private readonly pings: PingQueries,
    private readonly reads: PlatformReads,
  ) {}

  async of(orderId: string): Promise<DisputeEvidence> {
    const { events } = await this.store.read(orderStream(orderId));
    const buyer = await this.buyers.of(orderId);
    const lines = [...events.flatMap(eventLine), ...(await this.deliveryLines(orderId))];
    const life = lines.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ at, says }) => `${at} ${says}`);
    const text = [`Order ${orderId}. Times are UTC.`, ...buyerLines(buyer), ...life].join('\n');
    return {
      text: text.slice(0, LONGEST_TEXT),
      buyerName: buyer.name,
      buyerEmail: buyer.email,
      deliveredOn: deliveredOn(events),
      tracking: trackingIn(events),
      files: [],
    };
  }

  /** What others answered: mail servers, and the platform where the buyer bought. */
  private async deliveryLines(orderId: string): Promise<EvidenceLine[]> {
    const [mails, pings, read] = await Promise.all([
      this.mails.ofOrder(orderId),
      this.pings.ofOrder(orderId),
      this.reads.lastOf(orderId),
    ]);
    const accepted = mails.flatMap(({ kind, state, sent_at: at }) =>
      at !== null && (state === 'accepted' || state === 'sent')
        ? [{ at, says: `The buyer's mail server accepted the mail "${kind}".` }]
        : [],
    );
    const told = pings.flatMap(({ delivered_at: at, status_message: status }) =>
      at === null ? [] : [{ at, says: `The platform was told: ${status}.` }],
    );
    const seen = read ? [{ at: read.at, says: `The platform read version ${read.version} of the order.` }] : [];
    return [...accepted, ...told, ...seen];
  }
}
