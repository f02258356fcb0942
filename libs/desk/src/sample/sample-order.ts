import type { OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf, orderStream } from '#domain/order-stream';
import type { Metadata } from '#event-store/event';
import type { AppendOptions, EventStore } from '#event-store/event-store';
import type { OrderRules, OrderStream } from '#orders/order-changes';
import type { PlannedOrder } from './sample-plan.js';

/** A planned order and what has happened to it so far. */
export class SampleOrder {
  #stream: OrderStream | undefined;

  constructor(
    readonly planned: PlannedOrder,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
  ) {}

  get stream(): OrderStream {
    if (!this.#stream) throw new Error('Something happened to a sample order before it was placed.');
    return this.#stream;
  }

  get id(): string {
    return orderIdOf(this.stream.name) ?? '';
  }

  async open(
    orderId: string,
    command: OrderCommand,
    metadata: Metadata,
    attachments: AppendOptions['attachments'],
  ): Promise<void> {
    this.#stream = this.store.fresh(orderStream(orderId));
    await this.apply(command, metadata, attachments);
  }

  async apply(
    command: OrderCommand,
    metadata: Metadata,
    attachments: AppendOptions['attachments'] = {},
  ): Promise<void> {
    const decided = this.rules.decide(command, this.stream.state);
    if (decided instanceof Error) throw new Error(`The sample breaks a rule: ${command.type}, ${decided.message}`);
    if (decided.length === 0) return;
    this.#stream = await this.store.append(this.stream, decided, { metadata, attachments });
  }
}
