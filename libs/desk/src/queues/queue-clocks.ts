import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { DueField } from '#orders/order-search.contract';
import { CLOCK_BEGAN, marks } from '#orders/queue-clock';
import type { NoteVisibility } from '#orders/order-notes';
import { PLACE_NOW } from '../work-item-statements.js';
import { type BuiltInQueue, isPlaceQueue, type WorkQueue } from './work-queue.js';

/** `queue`: the built-in queue that the order is in. `escalated_at`: since when the order is escalated in the queue that was asked for. */
export type OrderClock = Readonly<{
  queue: BuiltInQueue | null;
  due_at: Date | null;
  snoozed_until: Date | null;
  escalated_at: Date | null;
}>;

/** `notes`: how many notes the order has. */
export type ListedClock = OrderClock & Readonly<{ notes: number }>;

/** When the orders of a queue are due in it. */
@Injectable()
export class QueueClocks {
  constructor(private readonly pool: Pool) {}

  /**
   * The same of one order, as it is now: its row may be a moment behind. Undefined if there is no such order.
   * @param now ISO 8601
   */
  async ofOrder(orderId: string, now: string): Promise<OrderClock | undefined> {
    const { rows } = await this.pool.query<OrderClock>({
      name: 'queue-of-order',
      text: PLACE_NOW,
      values: [orderId, now],
    });
    return rows[0];
  }

  /** @param seen the notes that count */
  async of(
    queue: WorkQueue,
    orderIds: readonly string[],
    seen: readonly NoteVisibility[],
  ): Promise<ReadonlyMap<string, ListedClock>> {
    if (orderIds.length === 0) return new Map();
    const statement = isPlaceQueue(queue)
      ? { name: 'queue-clocks', text: BUILT_IN, values: [orderIds, seen] }
      : {
          name: `queue-clocks-${queue.due.field}`,
          text: customBy(queue.due.field),
          values: [orderIds, seen, queue.id, queue.due.minutes],
        };
    const { rows } = await this.pool.query<ListedClock & { order_id: string }>(statement);
    return new Map(rows.map(({ order_id: id, ...clock }) => [id, clock]));
  }
}

/** Of an order with this id. */
const notes = (id: string) =>
  `(select count(*)::int from order_notes n where n.order_id = ${id} and n.visibility = any($2)) as notes`;

const BUILT_IN = `
  select order_id, coalesce(place, nullif(queue, 'waiting')) as queue, nullif(due_at, 'infinity') as due_at, snoozed_until, escalated_at,
    ${notes('work_items.order_id')}
  from work_items where order_id = any($1)`;

const customBy = (field: DueField) => `
  select o.id as order_id, w.place as queue, ${CLOCK_BEGAN[field]} + make_interval(mins => $4::int) as due_at,
    null::timestamptz as snoozed_until, e.escalated_at, ${notes('o.id')}
  from orders o left join work_items w on w.order_id = o.id and w.place is not null
  left join own_escalations e on w.order_id is not null and ${marks('$3', field)}
  where o.id = any($1)`;
