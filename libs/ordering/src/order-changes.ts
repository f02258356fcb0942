import { Injectable } from '@nestjs/common';
import { type KnownOrder, type Order, type OrderCommand, orderDecider } from '#domain/order/order';
import type { OrderEvent } from '#domain/order/order-events';
import type { StatusCatalogue } from '#domain/order/status-catalogue';
import type { Decider } from '#event-store/decider';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { streamName } from '#event-store/stream-name';

/** The stream in which an order's events stand. */
export function orderStream(orderId: string): string {
  return streamName('order', orderId);
}

/** The order's decider under the integration's status catalogue; a class so that Nest can inject it. */
@Injectable()
export class OrderRules {
  readonly decider: Decider<Order, OrderCommand, OrderEvent>;

  constructor(readonly catalogue: StatusCatalogue) {
    this.decider = orderDecider(catalogue);
  }
}

/** Commands on an order that exists: read, decide, append. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly store: EventStore,
    private readonly rules: OrderRules,
  ) {}

  /**
   * @returns the order as it is afterwards, changed or not.
   * @throws Refusal when the order's rules say no; VersionConflict when it is being changed from all sides.
   */
  async apply(orderId: string, command: OrderCommand, metadata: Metadata): Promise<KnownOrder> {
    const { state } = await this.store.handle(this.rules.decider, orderStream(orderId), command, { metadata });
    if (!state.known) throw new Error(`${command.type} left ${orderId} unknown.`);
    return state;
  }
}
