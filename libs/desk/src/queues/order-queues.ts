import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { instant } from '#web/instant.contract';
import { text } from '#base/text';
import { QUEUES, storedCondition } from '#orders/order-condition.contract';
import type { OrderSearchSort } from '#orders/order-search.contract';
import type { DueField } from '#orders/order-search.contract';
import type { Queue, QueuedOrder, QueuePage, QueuePageQuery } from '../queue.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { OwnQueueCounts } from './own-queue-counts.js';
import type { OwnQueue } from './own-queues.js';
import {
  type BuiltInQueue,
  type NamedEscalation,
  type QueueCounts,
  type QueuedOrder as FoundOrder,
  type QueuePosition,
  WorkQueues,
} from './work-queues.js';
import type { Caller } from '#accounts/caller';
import type { Clock } from '#base/clock';
import { parseForeignJson } from '#base/json';
import { cursorPage, readCursor } from '#web/cursor-page';
import { accessOf, OrderFinding } from '#orders/order-finding';
import { OrderView } from '#orders/order-view';
import { refusalOf } from '#orders/staff-remarks';

const NAMES: Readonly<Record<BuiltInQueue, string>> = {
  to_confirm: 'To confirm',
  review: 'Under review',
  to_ship: 'To ship',
  to_deliver: 'To deliver',
  exceptions: 'Exceptions',
  overdue: 'Overdue',
};

const SORT_OF: Readonly<Record<DueField, OrderSearchSort>> = {
  placed_at: 'placed_at.asc',
  updated_at: 'updated_at.asc',
  due_at: 'due_at.asc',
};

const Cursor = z.tuple([z.union([instant, z.literal('infinity')]), text(100)]);

/** The queues as the caller may see them: built-in ones, and those of a condition. */
@Injectable()
export class OrderQueues {
  constructor(
    private readonly queues: WorkQueues,
    private readonly counts: OwnQueueCounts,
    private readonly finding: OrderFinding,
    private readonly view: OrderView,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async list(own: readonly OwnQueue[], caller: Caller): Promise<Queue[]> {
    const [counts, rules] = await Promise.all([this.queues.counts(caller.sellers), this.rulesFor(caller)]);
    const listed = QUEUES.map((id) => {
      const described = { id, name: NAMES[id], where: null, due: null, escalation: rules.get(id) ?? null };
      return queueOf(described, counts.get(id), caller);
    });
    // One after the other, so that they take one connection of the pool at a time.
    for (const queue of own) {
      const escalation = rules.get(queue.id) ?? null;
      listed.push(queueOf({ ...queue, escalation }, await this.counts.of(queue, accessOf(caller)), caller));
    }
    return listed;
  }

  async own(queue: OwnQueue, caller: Caller): Promise<Queue> {
    const escalation = (await this.rulesFor(caller)).get(queue.id) ?? null;
    return queueOf({ ...queue, escalation }, await this.counts.of(queue, accessOf(caller)), caller);
  }

  async builtIn(
    id: BuiltInQueue,
    { limit, cursor, snoozed, escalated }: QueuePageQuery,
    caller: Caller,
  ): Promise<QueuePage> {
    const after = readCursor(cursor, parseCursor);
    const found = await this.queues.page(id, { limit: limit + 1, after, snoozed, escalated }, caller.sellers);
    const { page, next_cursor } = cursorPage(found, limit, ({ due_at: at, id: order }) =>
      Buffer.from(JSON.stringify([at?.toISOString() ?? 'infinity', order])).toString('base64url'),
    );
    return { orders: page.map((order) => this.queued(order, caller)), next_cursor };
  }

  async ofOwn(queue: OwnQueue, { limit, cursor, escalated }: QueuePageQuery, caller: Caller): Promise<QueuePage> {
    const { id, where, due } = queue;
    const question = {
      where: storedCondition(where),
      q: undefined,
      sort: SORT_OF[due.field],
      awake: true,
      ...(escalated && { escalatedIn: { id, field: due.field } }),
    };
    const { orders, next_cursor } = await this.finding.page(question, { limit, cursor }, caller);
    const places = await this.queues.placesOf(
      orders.map((order) => order.id),
      queue,
    );
    return {
      orders: orders.map((order) => {
        const time = { placed_at: order.placed_at, updated_at: order.updated_at, due_at: order.confirm_by }[due.field];
        const dueAt = time === null ? null : Date.parse(time) + due.minutes * 60_000;
        const { place = null, escalated_at: since = null } = places.get(order.id) ?? {};
        return {
          ...order,
          queue: place,
          due_at: dueAt === null ? null : new Date(dueAt).toISOString(),
          overdue: dueAt !== null && dueAt <= this.clock.now(),
          snoozed_until: null,
          escalated_at: since?.toISOString() ?? null,
        };
      }),
      next_cursor,
    };
  }

  private async rulesFor({ sellers }: Caller): Promise<ReadonlyMap<string, NamedEscalation>> {
    return sellers ? NO_RULES : await this.queues.escalations();
  }

  private queued(order: FoundOrder, caller: Caller): QueuedOrder {
    const { queue, due_at: dueAt, snoozed_until: until, escalated_at: escalated } = order;
    return {
      ...this.view.listed(order, caller),
      queue,
      due_at: dueAt?.toISOString() ?? null,
      overdue: dueAt !== null && dueAt.getTime() <= this.clock.now(),
      snoozed_until: until?.toISOString() ?? null,
      escalated_at: escalated?.toISOString() ?? null,
    };
  }
}

export function isBuiltIn(id: string): id is BuiltInQueue {
  return QUEUES.some((queue) => queue === id);
}

/** Why a queue is not for the caller; undefined if it is. It is for those who may ask what its condition asks. */
export function queueRefusal(caller: Caller, { where }: OwnQueue): string | undefined {
  return refusalOf(storedCondition(where), caller);
}

const NO_RULES: ReadonlyMap<string, NamedEscalation> = new Map();

type Described = Readonly<{
  id: string;
  name: string;
  where: OwnQueue['where'] | null;
  due: OwnQueue['due'] | null;
  escalation: NamedEscalation | null;
}>;

/** Brokers work in the queues of staff, but do not read by what staff choose the orders. */
function queueOf(
  { id, name, where, due, escalation }: Described,
  counts: QueueCounts | undefined,
  { sellers }: Caller,
): Queue {
  const { count = 0, overdue = 0, snoozed = 0, escalated = 0, next_due_at: next = null } = counts ?? {};
  return {
    id,
    name,
    built_in: where === null,
    count,
    overdue,
    next_due_at: next?.toISOString() ?? null,
    snoozed,
    escalated,
    escalation: escalation && { ...escalation },
    where: where && !sellers ? { ...where } : null,
    due,
  };
}

function parseCursor(cursor: string): QueuePosition | undefined {
  try {
    const [at, id] = Cursor.parse(parseForeignJson(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}
