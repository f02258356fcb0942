import { Injectable } from '@nestjs/common';
import { type KnownOrder, type Order, type OrderCommand, orderDecider } from '#domain/order/order';
import type { OrderEvent } from '#domain/order/order-events';
import type { StatusCatalogue } from '#domain/order/status-catalogue';
import type { Decider } from '#event-store/decider';
import type { Metadata } from '#event-store/event';
import { type Circumstances, EventStore } from '#event-store/event-store';
import { streamName } from '#event-store/stream-name';

/** Returns the name of the order's event stream. */
export function orderStream(orderId: string): string {
  return streamName('order', orderId);
}

/** The order decider with the integration's status catalogue. It is a class so that Nest can inject it. */
@Injectable()
export class OrderRules {
  readonly decider: Decider<Order, OrderCommand, OrderEvent>;

  constructor(readonly catalogue: StatusCatalogue) {
    this.decider = orderDecider(catalogue);
  }
}

/** Runs commands on existing orders: read, decide, append. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly store: EventStore,
    private readonly rules: OrderRules,
  ) {}

  /**
   * @param attachments for the inline writers.
   * @returns the order after the command, and whether anything was recorded.
   * @throws Refusal when a rule refuses; VersionConflict when other commands keep changing the order.
   */
  async apply(
    orderId: string,
    command: OrderCommand,
    metadata: Metadata,
    attachments: Circumstances['attachments'] = {},
  ): Promise<{ order: KnownOrder; recorded: boolean }> {
    const circumstances = { metadata, attachments };
    const { state, recorded } = await this.store.handle(
      this.rules.decider,
      orderStream(orderId),
      command,
      circumstances,
    );
    if (!state.known) throw new Error(`${command.type} left ${orderId} unknown.`);
    return { order: state, recorded };
  }
}
