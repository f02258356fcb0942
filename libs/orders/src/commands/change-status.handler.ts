import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderCommand } from '#domain/order';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

type Change = Omit<Extract<OrderCommand, { type: 'ChangeStatus' }>, 'type'>;

/** Staff set another status of the catalogue. The result says whether anything was recorded. */
export class ChangeStatus extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly change: Change,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ChangeStatus)
export class ChangeStatusHandler implements ICommandHandler<ChangeStatus> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, change, metadata }: ChangeStatus): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { type: 'ChangeStatus', ...change }, metadata);
    return recorded;
  }
}
