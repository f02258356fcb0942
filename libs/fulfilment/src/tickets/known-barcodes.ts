import { Injectable } from '@nestjs/common';
import { domainError } from '#domain/domain-error';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { seatsOf, wrongSeat } from '#domain/seats';
import { EventStore } from '#event-store/event-store';
import { TicketFiles } from './ticket-files.js';
import { BarcodeVault, type GivenBarcode } from './barcode-vault.js';

/** The barcodes of an order's seats in clear, for tickets that are made here. */
@Injectable()
export class KnownBarcodes {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly files: TicketFiles,
    private readonly vault: BarcodeVault,
  ) {}

  /** By seat. @throws DomainError if there is no such order */
  async ofOrder(
    orderId: string,
  ): Promise<Readonly<{ order: KnownOrder; barcodes: ReadonlyMap<string, GivenBarcode> }>> {
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    const known = await this.vault.open(orderId, (await this.files.orderKey(orderId))?.key ?? null);
    const given = new Set(order.delivery.barcodes.map(({ seat }) => seat));
    return { order, barcodes: new Map([...known].filter(([seat]) => given.has(seat))) };
  }

  /** @param seats all if undefined @throws DomainError if one has no barcode */
  async ofSeats(orderId: string, seats: readonly string[] | undefined): Promise<readonly GivenBarcode[]> {
    const { order, barcodes } = await this.ofOrder(orderId);
    const asked = seats ?? seatsOf(order);
    const wrong = wrongSeat(order, asked, (index) => `seats[${index}]`);
    if (wrong) throw wrong;
    const found = asked.flatMap((seat) => barcodes.get(seat) ?? []);
    if (found.length < asked.length) throw domainError('TRANSITION_NOT_ALLOWED', 'A seat has no barcode yet.');
    return found;
  }
}
