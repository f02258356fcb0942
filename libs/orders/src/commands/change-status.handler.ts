import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderCommand } from '#domain/order/order';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from './order-changes.js';

type Change = Omit<Extract<OrderCommand, { type: 'ChangeStatus' }>, 'type'>;

export class ChangeStatus extends Command<void> {
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

  async execute({ orderId, change, metadata }: ChangeStatus): Promise<void> {
    await this.orders.apply(orderId, { type: 'ChangeStatus', ...change }, metadata);
  }
}
