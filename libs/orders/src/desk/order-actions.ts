import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { type OrderAction, possibleActions } from '#domain/order-actions';
import type { ChangeEffect } from '#domain/order-effects';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import type { Clock } from '#base/clock';
import { OrderRules } from '../order-changes.js';

type ActionEffect = Exclude<ChangeEffect, 'return_payment' | 'return_difference'> | 'void' | 'refund';

/** An action of the domain with what the payment provider would do. */
export type EffectiveAction = Omit<OrderAction, 'effects'> &
  Readonly<{
    effects: readonly ActionEffect[];
    /** Only for a broker's answer: its deadline, ISO 8601, or null. */
    until?: string | null;
    /** US cents that go back, if they are only a part of the payment. */
    returnedCents?: number;
  }>;

/** What can be done to an order now, and what would follow. */
@Injectable()
export class OrderActions {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Undefined if there is no such order. */
  async of(orderId: string): Promise<EffectiveAction[] | undefined> {
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known) return undefined;
    const actions = possibleActions(order, this.rules.catalogue, this.clock.iso());
    const method = order.payment.is === 'captured' ? 'refund' : 'void';
    return actions.map(({ effects, ...action }) => ({
      ...action,
      ...(ANSWERS.includes(action.action) && { until: untilOf(order) }),
      ...(effects.includes('return_difference') && { returnedCents: -(order.replacement?.difference_cents ?? 0) }),
      effects: effects.flatMap((effect) => (returnsMoney(effect) ? method : effect)),
    }));
  }
}

function returnsMoney(effect: ChangeEffect): effect is 'return_payment' | 'return_difference' {
  return effect === 'return_payment' || effect === 'return_difference';
}

function untilOf({ deadline }: KnownOrder): string | null {
  return deadline?.for === 'confirmation' || deadline?.for === 'replacement' ? deadline.at : null;
}

const ANSWERS: readonly OrderAction['action'][] = ['accept', 'deny', 'accept_replacement', 'reject_replacement'];
