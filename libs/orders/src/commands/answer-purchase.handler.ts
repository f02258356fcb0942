import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DatabaseClock } from '#database/database-clock';
import type { DenialReason } from '#domain/order-events';
import type { Metadata } from '#event-store/event';
import type { Clock } from '#base/clock';
import { OrderChanges } from '../order-changes.js';

type Answer = Readonly<{ note?: string; expectedVersion?: number }> &
  (Readonly<{ type: 'Accept' }> | Readonly<{ type: 'Deny'; reason: DenialReason }>);

/** The broker gives the tickets or not. The result says whether anything was recorded. */
export class AnswerPurchase extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly answer: Answer,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(AnswerPurchase)
export class AnswerPurchaseHandler implements ICommandHandler<AnswerPurchase> {
  constructor(
    private readonly orders: OrderChanges,
    // The worker compares the deadline with the same clock.
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async execute({ orderId, answer, metadata }: AnswerPurchase): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { ...answer, at: this.clock.iso() }, metadata);
    return recorded;
  }
}
