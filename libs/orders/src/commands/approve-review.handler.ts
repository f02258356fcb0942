import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Metadata } from '#event-store/event';
import { OrderChanges } from '../order-changes.js';

type Approval = Readonly<{ note?: string; expectedVersion?: number }>;

/** Ends the review of an order, which goes on as if it had never been held. The result says whether anything was recorded. */
export class ApproveReview extends Command<boolean> {
  constructor(
    readonly orderId: string,
    readonly approval: Approval,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

@CommandHandler(ApproveReview)
export class ApproveReviewHandler implements ICommandHandler<ApproveReview> {
  constructor(private readonly orders: OrderChanges) {}

  async execute({ orderId, approval, metadata }: ApproveReview): Promise<boolean> {
    const { recorded } = await this.orders.apply(orderId, { type: 'ApproveReview', ...approval }, metadata);
    return recorded;
  }
}
