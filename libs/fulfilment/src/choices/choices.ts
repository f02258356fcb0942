import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { DatabaseClock } from '#database/database-clock';
import type { ChoiceAnswer } from '#domain/choice-events';
import { whyOver } from '#domain/choices';
import { domainError } from '#domain/domain-error';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore, VersionConflict } from '#event-store/event-store';
import { OrderChanges } from '#orders/order-changes';
import type { AskedChoice } from '../choice-links.js';

// Somebody may press both buttons again and again.
const MAX_ATTEMPTS = 10;

/** What buyers of postponed shows choose. */
@Injectable()
export class Choices {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly ids: Ids,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** The choice of an order that waits for an answer. @throws DomainError if none does */
  async open(orderId: string): Promise<AskedChoice & Readonly<{ until: string }>> {
    const { choice, ...order } = await this.known(orderId);
    if (!choice) throw domainError('TRANSITION_NOT_ALLOWED', 'The buyer was not asked to choose.');
    if (choice.answer !== null) throw domainError('TRANSITION_NOT_ALLOWED', 'The buyer has chosen already.');
    const over = whyOver({ ...order, choice }, choice.job, this.clock.iso());
    if (over !== undefined) throw domainError('TRANSITION_NOT_ALLOWED', over);
    return { orderId, job: choice.job, until: choice.until };
  }

  /** The order, unless the choice is over. Changes nothing. @throws DomainError */
  async look({ orderId, job }: AskedChoice): Promise<KnownOrder> {
    const order = await this.known(orderId);
    const over = whyOver(order, job, this.clock.iso());
    if (over !== undefined) throw domainError('CHOICE_OVER', over);
    return order;
  }

  /** The first answer holds. @throws DomainError */
  async answer({ orderId, job }: AskedChoice, answer: ChoiceAnswer, transactionId: string): Promise<KnownOrder> {
    const actor = `link:${job}`;
    const refund = { refundId: this.ids.next('rf'), requestedBy: actor };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const command = { type: 'AnswerChoice', job, answer, at: this.clock.iso(), refund } as const;
        return (await this.orders.apply(orderId, command, { transaction_id: transactionId, actor })).order;
      } catch (error) {
        if (!(error instanceof VersionConflict) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async known(orderId: string): Promise<KnownOrder> {
    const { state } = await this.store.read(orderStream(orderId));
    if (!state.known) throw domainError('ORDER_UNKNOWN', 'There is no such order.');
    return state;
  }
}
