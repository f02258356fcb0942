import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from './order-changes.js';

/** Deletes the order's key, so the data becomes unreadable in the event log too. */
export class ErasePersonalData extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ErasePersonalData)
export class ErasePersonalDataHandler implements ICommandHandler<ErasePersonalData> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, metadata }: ErasePersonalData): Promise<void> {
    await this.orders.apply(orderId, { type: 'ErasePersonalData' }, metadata);
  }
}
