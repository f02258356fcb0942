import { Injectable } from '@nestjs/common';
import { markNoEffect } from '#database/database-errors';
import { decide, type Decision, type OrderCommand } from '#domain/order/order';
import type { OrderEvent } from '#domain/order/order-events';
import type { KnownOrder, Order } from '#domain/order/order-state';
import { orderStream } from '#domain/order/order-stream';
import type { StatusCatalogue } from '#domain/order/status-catalogue';
import type { Metadata } from '#event-store/event';
import { type AppendOptions, EventStore, type Stream } from '#event-store/event-store';

export type OrderStream = Stream<Order, OrderEvent>;

export function knownOrder({ name, state }: OrderStream): KnownOrder {
  if (!state.known) throw new Error(`${name} has no events.`);
  return state;
}

/** The rules with the status catalogue in use, which staff may change while the process runs. */
@Injectable()
export class OrderRules {
  #catalogue: StatusCatalogue | undefined;

  /** @param catalogue undefined until it has been read from the database */
  constructor(catalogue?: StatusCatalogue) {
    this.#catalogue = catalogue;
  }

  /** @throws an error without effect, which answers 503, until the catalogue has been read */
  get catalogue(): StatusCatalogue {
    if (this.#catalogue) return this.#catalogue;
    const error = new Error('the status catalogue has not been read from the database yet');
    markNoEffect(error);
    throw error;
  }

  use(catalogue: StatusCatalogue): void {
    this.#catalogue = catalogue;
  }

  decide(command: OrderCommand, order: Order): Decision {
    return decide(command, order, this.catalogue);
  }
}

/** Reads, decides and appends. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
  ) {}

  /**
   * @param attachments for the inline projections
   * @returns the order after the command, and whether anything was recorded
   * @throws DomainError if a rule rejects it; VersionConflict if other commands keep changing the order
   */
  async apply(
    orderId: string,
    command: OrderCommand,
    metadata: Metadata,
    attachments: AppendOptions['attachments'] = {},
  ): Promise<{ order: KnownOrder; recorded: boolean }> {
    const { stream, recorded } = await this.store.handle(
      orderStream(orderId),
      (order) => this.rules.decide(command, order),
      { metadata, attachments },
    );
    return { order: knownOrder(stream), recorded };
  }
}
