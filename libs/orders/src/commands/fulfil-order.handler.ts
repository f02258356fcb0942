import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderCommand } from '#domain/order/order';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from './order-changes.js';

type Fulfilment = Omit<Extract<OrderCommand, { type: 'Fulfil' }>, 'type'>;

/** Staff record how the tickets were sent. The status follows from it. The result tells whether anything was recorded. */
export class FulfilOrder extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly fulfilment: Fulfilment,
    readonly metadata: Metadata,
    /** For the inline writers, in the same transaction. */
    readonly attachments: Readonly<Record<string, unknown>> = {},
  ) {
    super();
  }
}

@CommandHandler(FulfilOrder)
export class FulfilOrderHandler implements ICommandHandler<FulfilOrder> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, fulfilment, metadata, attachments }: FulfilOrder): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { type: 'Fulfil', ...fulfilment }, metadata, attachments);
    return recorded;
  }
}
