import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { isConfirmed } from '../payments/confirmed-payment.js';
import { PaymentProvider } from '../payments/payment-provider.js';
import { OrderChanges } from '../order-changes.js';

/** Calls the provider before it records the release. The provider acts once per order. An imported payment must be the provider's too. */
export class ReleasePayment extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ReleasePayment)
export class ReleasePaymentHandler implements ICommandHandler<ReleasePayment> {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly provider: PaymentProvider,
  ) {}

  async execute({ orderId, metadata }: ReleasePayment): Promise<void> {
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known || order.payment.is !== 'authorised' || order.status?.status !== 'rejected') return;
    if (!(await isConfirmed(this.provider, orderId, order.payment))) {
      await this.orders.apply(orderId, { type: 'RecordUnconfirmedPayment' }, metadata);
      return;
    }
    const how = await this.provider.release(orderId, order.payment.reference);
    await this.orders.apply(orderId, { type: 'RecordPaymentRelease', how }, metadata);
  }
}
