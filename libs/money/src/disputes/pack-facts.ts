import { Injectable } from '@nestjs/common';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { HttpError } from '#web/http-error';
import type { Dispute } from '../dispute.contract.js';
import type { ComparedOrder, EarlierOrder } from './compared-order.js';
import { EarlierOrders } from './earlier-orders.js';
import { type Happening, OrderHappenings } from './order-happenings.js';
import { type OrderProof, OrderProofs } from './order-proofs.js';

/** Everything that the desk can say about a dispute. */
export type PackFacts = Readonly<{
  dispute: Dispute;
  disputed: ComparedOrder;
  events: readonly RecordedEvent<OrderEvent>[];
  happened: readonly Happening[];
  earlier: readonly EarlierOrder[];
  proof: OrderProof;
}>;

@Injectable()
export class PackFactsReader {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly happenings: OrderHappenings,
    private readonly earlier: EarlierOrders,
    private readonly proofs: OrderProofs,
  ) {}

  async of(dispute: Dispute): Promise<PackFacts> {
    const { order_id: orderId } = dispute;
    const { state: order, events } = await this.store.read(orderStream(orderId));
    if (!order.known) throw HttpError.notFound('order');
    const disputed = await this.earlier.compared(orderId, order);
    const [happened, earlier, proof] = await Promise.all([
      this.happenings.of(orderId, events),
      this.earlier.before(disputed, dispute.opened_at),
      this.proofs.of(orderId, events.length),
    ]);
    return { dispute, disputed, events, happened, earlier, proof };
  }
}
