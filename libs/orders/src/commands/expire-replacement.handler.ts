import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

/** Does nothing if the order has changed since the deadline was read. */
export class ExpireReplacement extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly expectedVersion: number,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ExpireReplacement)
export class ExpireReplacementHandler implements ICommandHandler<ExpireReplacement> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, expectedVersion, metadata }: ExpireReplacement): Promise<void> {
    await this.orders.apply(orderId, { type: 'ExpireReplacement', expectedVersion }, metadata);
  }
}
