import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

/** Does nothing if the order has changed since the deadline was read. */
export class ExpireConfirmation extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly expectedVersion: number,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ExpireConfirmation)
export class ExpireConfirmationHandler implements ICommandHandler<ExpireConfirmation> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, expectedVersion, metadata }: ExpireConfirmation): Promise<void> {
    await this.orders.apply(orderId, { type: 'ExpireConfirmation', expectedVersion }, metadata);
  }
}
