import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DatabaseClock } from '#database/database-clock';
import type { Metadata } from '#event-store/event';
import type { Clock } from '#base/clock';
import { OrderChanges } from '../order-changes.js';

type Answer = Readonly<{ type: 'AcceptReplacement' | 'RejectReplacement'; note?: string; expectedVersion?: number }>;

/** The buyer takes the other tickets or not. The result says whether anything was recorded. */
export class AnswerReplacement extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly answer: Answer,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(AnswerReplacement)
export class AnswerReplacementHandler implements ICommandHandler<AnswerReplacement> {
  constructor(
    private readonly orders: OrderChanges,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async execute({ orderId, answer, metadata }: AnswerReplacement): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { ...answer, at: this.clock.iso() }, metadata);
    return recorded;
  }
}
