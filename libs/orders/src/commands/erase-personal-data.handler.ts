import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

/** Deletes the order's key, so the data becomes unreadable in the event log too. The result says if there was any. */
export class ErasePersonalData extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly metadata: Metadata,
    readonly expected: Readonly<{ expectedVersion?: number }> = {},
  ) {
    super();
  }
}

@CommandHandler(ErasePersonalData)
export class ErasePersonalDataHandler implements ICommandHandler<ErasePersonalData> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, metadata, expected }: ErasePersonalData): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { type: 'ErasePersonalData', ...expected }, metadata);
    return recorded;
  }
}
