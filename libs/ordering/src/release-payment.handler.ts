import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { fold } from '#event-store/decider';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { PaymentProvider } from '#payments/payment-provider';
import { OrderChanges, OrderRules, orderStream } from './order-changes.js';

/** Returns the money of a rejected order. It asks the provider before it records the release; the provider acts once per order. */
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
    private readonly store: EventStore,
    private readonly rules: OrderRules,
    private readonly orders: OrderChanges,
    private readonly provider: PaymentProvider,
  ) {}

  async execute({ orderId, metadata }: ReleasePayment): Promise<void> {
    const { events } = await this.store.read(orderStream(orderId));
    const order = fold(this.rules.decider, events);
    if (!order.known || order.payment.is !== 'authorised' || order.status?.status !== 'rejected') return;
    const how = await this.provider.release(orderId, order.payment.reference);
    await this.orders.apply(orderId, { type: 'RecordPaymentRelease', how }, metadata);
  }
}
