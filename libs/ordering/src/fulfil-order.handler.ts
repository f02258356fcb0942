import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderCommand } from '#domain/order/order';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from './order-changes.js';

type Fulfilment = Omit<Extract<OrderCommand, { type: 'Fulfil' }>, 'type'>;

/** Staff record how the tickets were sent. The status follows from it. */
export class FulfilOrder extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly fulfilment: Fulfilment,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(FulfilOrder)
export class FulfilOrderHandler implements ICommandHandler<FulfilOrder> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, fulfilment, metadata }: FulfilOrder): Promise<void> {
    await this.orders.apply(orderId, { type: 'Fulfil', ...fulfilment }, metadata);
  }
}
