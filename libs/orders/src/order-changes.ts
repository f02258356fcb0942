import { Injectable } from '@nestjs/common';
import { markNoEffect } from '#database/database-errors';
import { decide, type Decision, type OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { StatusCatalogue } from '#domain/status-catalogue';
import type { Metadata } from '#event-store/event';
import {
  type AppendOptions,
  EventStore,
  ProjectionConflict,
  type Stream,
  VersionConflict,
} from '#event-store/event-store';
import { EventNotes } from './event-notes.js';

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

// As many as the event store makes.
const MAX_ATTEMPTS = 3;

/** Reads, decides, seals what people wrote, and appends. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
    private readonly notes: EventNotes,
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
    const admitted = this.notes.admitted(command);
    if (this.notes.hasTexts(admitted)) {
      return await this.applySealed(orderId, admitted, { metadata, attachments });
    }
    const { stream, recorded } = await this.store.handle(
      orderStream(orderId),
      (order) => this.rules.decide(admitted, order),
      { metadata, attachments },
    );
    return { order: knownOrder(stream), recorded };
  }

  /** Each attempt seals the texts anew, because the order's key may have been erased meanwhile. */
  private async applySealed(
    orderId: string,
    command: OrderCommand,
    { metadata, attachments }: AppendOptions,
  ): Promise<{ order: KnownOrder; recorded: boolean }> {
    for (let attempt = 1; ; attempt += 1) {
      const stream = await this.store.read(orderStream(orderId));
      const decided = this.rules.decide(command, stream.state);
      if (decided instanceof Error) throw decided;
      if (decided.length === 0) return { order: knownOrder(stream), recorded: false };
      const sealed = await this.notes.seal(stream, decided);
      try {
        const options = { metadata, attachments: { ...attachments, ...sealed.attachments } };
        return { order: knownOrder(await this.store.append(stream, sealed.events, options)), recorded: true };
      } catch (error) {
        // Another process has changed the order, or has given it a key.
        const isRace = error instanceof VersionConflict || isKeyConflict(error);
        if (!isRace || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

function isKeyConflict(error: unknown): boolean {
  return error instanceof ProjectionConflict && error.projection === 'personal_data_keys';
}
