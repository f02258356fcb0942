import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

/** Does nothing if the order has changed since the deadline was read. */
export class ExpireTransfers extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly expectedVersion: number,
    /** When the time to accept them was over, ISO 8601. */
    readonly at: string,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ExpireTransfers)
export class ExpireTransfersHandler implements ICommandHandler<ExpireTransfers> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, expectedVersion, at, metadata }: ExpireTransfers): Promise<void> {
    await this.orders.apply(orderId, { type: 'ExpireTransfers', expectedVersion, at }, metadata);
  }
}
