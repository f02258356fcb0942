import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { isConfirmed } from '../payments/confirmed-payment.js';
import { PaymentProvider } from '../payments/payment-provider.js';
import { OrderChanges } from '../order-changes.js';

/** The buyer took cheaper tickets. Calls the provider before it records the part; the provider gives it back once for each acceptance. */
export class ReturnDifference extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ReturnDifference)
export class ReturnDifferenceHandler implements ICommandHandler<ReturnDifference> {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly provider: PaymentProvider,
  ) {}

  async execute({ orderId, metadata }: ReturnDifference): Promise<void> {
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known || order.deadline?.for !== 'price_difference') return;
    const { payment, differenceDue } = order;
    if (payment.is !== 'authorised' || !differenceDue) return;
    if (!(await isConfirmed(this.provider, orderId, payment))) {
      await this.orders.apply(orderId, { type: 'RecordUnconfirmedPayment' }, metadata);
      return;
    }
    const { position, cents: amountCents } = differenceDue;
    const key = `${orderId}-${position}`;
    const { how, reference } = await this.provider.releasePart({
      orderId,
      reference: payment.reference,
      key,
      amountCents,
    });
    await this.orders.apply(orderId, { type: 'RecordPartRelease', position, how, partReference: reference }, metadata);
  }
}
