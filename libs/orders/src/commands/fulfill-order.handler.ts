import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderCommand } from '#domain/order';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

type Fulfillment = Omit<Extract<OrderCommand, { type: 'Fulfil' }>, 'type'>;

/** The status follows from the fulfillment. The result says whether anything was recorded. */
export class FulfillOrder extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly fulfillment: Fulfillment,
    readonly metadata: Metadata,
    /** For the inline projections, in the same transaction. */
    readonly attachments: Readonly<Record<string, unknown>> = {},
  ) {
    super();
  }
}

@CommandHandler(FulfillOrder)
export class FulfillOrderHandler implements ICommandHandler<FulfillOrder> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, fulfillment, metadata, attachments }: FulfillOrder): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { type: 'Fulfil', ...fulfillment }, metadata, attachments);
    return recorded;
  }
}
