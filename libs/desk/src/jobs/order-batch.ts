import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { DomainError } from '#domain/domain-error';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import type { Clock } from '#base/clock';
import { EventNotes } from '#orders/event-notes';
import { OrderRules, type OrderStream } from '#orders/order-changes';
import type { ItemResult, JobItem } from '../job.js';
import { commandOf, type JobCommand, undoOf } from './order-commands.js';

/** `later`: the order cannot be decided yet. */
export type ItemOutcome = ItemResult | 'later';

/** Of a job that takes another one back it has what was before. */
type PreviewedItem = Pick<JobItem, 'order_id' | 'before' | 'version'>;

const UNKNOWN: Order = { known: false };

export const NO_SUCH_ORDER = { outcome: 'refused', reason: 'There is no such order.' } as const;

/** What a job does to one order: the events, or why there are none. */
export type OrderDecision = readonly OrderEvent[] | ItemOutcome;

/** Makes the same change to several orders in one transaction. */
@Injectable()
export class OrderBatch {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
    private readonly notes: EventNotes,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /**
   * Returns the outcomes in the order of the items. If it throws, the transaction must be rolled back.
   * @throws VersionConflict or ProjectionConflict if somebody else has changed one of the orders meanwhile
   */
  async apply(client: ClientBase, items: readonly JobItem[], job: JobCommand): Promise<ItemOutcome[]> {
    const streams = await this.read(items, client);
    const decisions = items.map((item, index) => this.decide(streams[index]?.state ?? UNKNOWN, job, item));
    const changes = streams.flatMap((stream, index) => {
      const decision = decisions[index];
      return isEvents(decision) ? [{ stream, events: decision, orderId: items[index]?.order_id ?? '' }] : [];
    });
    const sealed = await this.notes.sealAll(changes, client);
    const appends = changes.map(({ stream, events: decided, orderId }, index) => {
      const { events, attachments } = sealed[index] ?? { events: decided, attachments: {} };
      const metadata = { transaction_id: `${job.id}-${orderId}`, actor: job.actor };
      return { stream, events, options: { metadata, attachments } };
    });
    await this.store.appendAll(client, appends);
    return streams.map((stream, index) => {
      const decision = decisions[index] ?? NO_SUCH_ORDER;
      return isEvents(decision) ? changed(stream, decision.length, job) : decision;
    });
  }

  /** The orders as they are now, without a transaction. */
  async read(items: readonly Pick<JobItem, 'order_id'>[], client?: ClientBase): Promise<OrderStream[]> {
    const names = items.map(({ order_id: orderId }) => orderStream(orderId));
    return await this.store.readAll(names, client);
  }

  decide(order: Order, job: JobCommand, item: PreviewedItem): OrderDecision {
    if (!order.known) return NO_SUCH_ORDER;
    // Its payment is under way. What comes of it decides what a cancelled show means for it.
    if (job.kind === 'cancel_event' && !job.isUndo && order.stage === 'awaiting_payment' && order.status === null)
      return 'later';
    const command = job.isUndo ? undoOf(job, item) : commandOf(job, item.order_id, this.clock.iso());
    const decided = this.rules.decide(command, order);
    if (decided instanceof DomainError) return { outcome: 'refused', reason: decided.message };
    return decided.length === 0 ? { outcome: 'unchanged' } : decided;
  }
}

export function isEvents(decision: OrderDecision | undefined): decision is readonly OrderEvent[] {
  return Array.isArray(decision);
}

/** What a refund has moved cannot be taken back, and whom a job has asked was asked. */
function changed({ state, events }: OrderStream, appended: number, { kind }: JobCommand): ItemResult {
  const hasWayBack = kind !== 'refund' && kind !== 'postpone_event';
  const status = state.known && hasWayBack ? state.status : null;
  return {
    outcome: 'done',
    version: events.length + appended,
    ...(status && { before: { status_code: status.status_code } }),
  };
}
