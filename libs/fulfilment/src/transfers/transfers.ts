import { Injectable } from '@nestjs/common';
import { Ids } from '#base/ids';
import { domainError } from '#domain/domain-error';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { seatsOf } from '#domain/seats';
import type { TransferAnswer } from '#domain/transfers';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { type TransferRecord, transferRecords } from '#orders/delivery-records';
import { OrderChanges } from '#orders/order-changes';
import type { NewTransfers } from '../transfer.contract.js';
import { TransferDeadlines } from './transfer-deadlines.js';

/** `isNew`: whether anything was recorded. */
export type Sent = Readonly<{ transfers: readonly TransferRecord[]; isNew: boolean }>;

/** The transfers of orders to the accounts of their buyers. */
@Injectable()
export class Transfers {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly deadlines: TransferDeadlines,
    private readonly ids: Ids,
  ) {}

  /** Oldest first, those of earlier tickets included. Undefined if there is no such order. */
  async list(orderId: string): Promise<readonly TransferRecord[] | undefined> {
    const { state, events } = await this.store.read(orderStream(orderId));
    return state.known ? transferRecords(state, events) : undefined;
  }

  /** One transfer for each seat asked for, old or new. @throws DomainError */
  async send(orderId: string, body: NewTransfers, metadata: Metadata): Promise<Sent> {
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    const asked = body.seats ?? seatsOf(order);
    const { claim_url = null, holder = null } = body;
    const { recorded } = await this.orders.apply(
      orderId,
      {
        type: 'SendTransfers',
        seats: body.seats,
        ids: asked.map(() => this.ids.next('tra')),
        source: body.source,
        confirmationNumber: body.confirmation_number ?? null,
        acceptBy: await this.deadlines.acceptBy(order.purchase.product.event_id),
        recipient: claim_url === null && holder === null ? undefined : { claim_url, holder },
      },
      metadata,
    );
    const transfers = (await this.list(orderId)) ?? [];
    const last = asked.flatMap((seat) => transfers.findLast((one) => one.seat === seat) ?? []);
    return { transfers: last, isNew: recorded };
  }

  /** @param at ISO 8601 @throws DomainError */
  async answer(
    orderId: string,
    { transferId, state, at }: Readonly<{ transferId: string; state: TransferAnswer; at: string }>,
    metadata: Metadata,
  ): Promise<Readonly<{ transfer: TransferRecord | undefined; recorded: boolean }>> {
    const { recorded } = await this.orders.apply(orderId, { type: 'AnswerTransfer', transferId, state, at }, metadata);
    const transfers = await this.list(orderId);
    return { transfer: transfers?.find(({ id }) => id === transferId), recorded };
  }
}
