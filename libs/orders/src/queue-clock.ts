import type { DueField } from './order-search.contract.js';

/** The time of an order `o` that the clock of a queue of one's own counts from. */
export const CLOCK_BEGAN: Readonly<Record<DueField, string>> = {
  placed_at: 'o.placed_at',
  updated_at: 'o.updated_at',
  due_at: `case when o.due_for = 'confirmation' then o.due_at end`,
};

/** True for the row `e` of `own_escalations` that marks an order `o` in a queue. With another beginning of its clock, the mark is over. */
export function marks(queue: string, field: DueField): string {
  return `e.queue = ${queue} and e.order_id = o.id and e.since = ${CLOCK_BEGAN[field]}`;
}

/** True for an order `o` that is escalated in a queue. It is no longer once it is done, and not while it is snoozed. */
export function isEscalated(queue: string, field: DueField): string {
  return `exists (select from own_escalations e join work_items w on w.order_id = e.order_id
    where w.place is not null and ${marks(queue, field)})`;
}
