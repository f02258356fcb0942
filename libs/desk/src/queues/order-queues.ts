import { Inject, Injectable } from '@nestjs/common';
import { storedCondition } from '#orders/order-condition.contract';
import type { SearchQuestion } from '#orders/order-finder';
import type { DueField, OrderSearchSort } from '#orders/order-search.contract';
import type { OrderQueue, Queue, QueuePage, QueuePageQuery } from '../queue.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Caller } from '#accounts/caller';
import type { Clock } from '#base/clock';
import { accessOf, OrderFinding } from '#orders/order-finding';
import { refusalOf } from '#orders/staff-remarks';
import { type OrderClock, QueueClocks } from './queue-clocks.js';
import { QueueCounts } from './queue-counts.js';
import { builtInQueue, isPlaceQueue, type NamedEscalation, type WorkQueue } from './work-queue.js';
import { WorkQueues } from './work-queues.js';

const SORT_OF: Readonly<Record<DueField, OrderSearchSort>> = {
  placed_at: 'placed_at.asc',
  updated_at: 'updated_at.asc',
  due_at: 'due_at.asc',
};

/** The queues and their orders as the caller may see them. */
@Injectable()
export class OrderQueues {
  constructor(
    private readonly queues: WorkQueues,
    private readonly counts: QueueCounts,
    private readonly clocks: QueueClocks,
    private readonly finding: OrderFinding,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async list(caller: Caller): Promise<Queue[]> {
    const [queues, rules] = await Promise.all([this.queues.list(), this.rulesFor(caller)]);
    const listed: Queue[] = [];
    // One after the other, so that they take one connection of the pool at a time.
    for (const queue of queues) {
      if (queueRefusal(caller, queue) === undefined) listed.push(await this.shown(queue, caller, rules));
    }
    return listed;
  }

  async one(queue: WorkQueue, caller: Caller): Promise<Queue> {
    return await this.shown(queue, caller, await this.rulesFor(caller));
  }

  async page(queue: WorkQueue, { limit, cursor, ...part }: QueuePageQuery, caller: Caller): Promise<QueuePage> {
    const { orders, next_cursor } = await this.finding.page(questionOf(queue, part), { limit, cursor }, caller);
    const clocks = await this.clocks.of(
      queue,
      orders.map(({ id }) => id),
      caller.sellers ? ['partner'] : ['internal', 'partner'],
    );
    const queued = orders.map((order) => {
      const clock = clocks.get(order.id);
      return { ...order, ...this.placed(clock), notes: clock?.notes ?? 0 };
    });
    return { orders: queued, next_cursor };
  }

  private async rulesFor({ sellers }: Caller): Promise<ReadonlyMap<string, NamedEscalation>> {
    return sellers ? new Map() : await this.queues.escalations();
  }

  /** Brokers work in the queues of staff, but do not read by what staff choose the orders. */
  private async shown(queue: WorkQueue, caller: Caller, rules: ReadonlyMap<string, NamedEscalation>): Promise<Queue> {
    const { next_due_at: next, ...counts } = await this.counts.of(queue, accessOf(caller));
    const { id, name, where, due } = queue;
    const isBuiltIn = builtInQueue(id) !== undefined;
    return {
      id,
      name,
      built_in: isBuiltIn,
      ...counts,
      next_due_at: next?.toISOString() ?? null,
      escalation: rules.get(id) ?? null,
      where: where && !isBuiltIn && !caller.sellers ? { ...where } : null,
      due: isBuiltIn ? null : due,
    };
  }

  /** Where one order waits, and until when. Undefined if there is no such order. */
  async placeOf(orderId: string): Promise<OrderQueue | undefined> {
    const clock = await this.clocks.ofOrder(orderId, this.clock.iso());
    return clock && this.placed(clock);
  }

  private placed(clock: OrderClock | undefined): OrderQueue {
    const { queue = null, due_at: dueAt = null, snoozed_until: until = null, escalated_at: since = null } = clock ?? {};
    return {
      queue,
      due_at: dueAt?.toISOString() ?? null,
      overdue: dueAt !== null && dueAt.getTime() <= this.clock.now(),
      snoozed_until: until?.toISOString() ?? null,
      escalated_at: since?.toISOString() ?? null,
    };
  }
}

/** Why a queue is not for the caller; undefined if it is. It is for those who may ask what its condition asks. */
export function queueRefusal(caller: Caller, queue: WorkQueue): string | undefined {
  return isPlaceQueue(queue) ? undefined : refusalOf(storedCondition(queue.where), caller);
}

function questionOf(queue: WorkQueue, part: Readonly<{ snoozed: boolean; escalated: boolean }>): SearchQuestion {
  const { id } = queue;
  if (isPlaceQueue(queue)) return { where: undefined, q: undefined, sort: 'queue.asc', queue: { id, ...part } };
  const { field } = queue.due;
  const question = { where: storedCondition(queue.where), q: undefined, sort: SORT_OF[field], awake: true } as const;
  return part.escalated ? { ...question, escalatedIn: { id, field } } : question;
}
