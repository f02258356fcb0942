import { isKeptFor } from '#accounts/seen-orders';
import { DUE_AT, type Parameters, type Source } from './condition-sql.js';
import type { DueField } from './order-search.contract.js';

/** The time of an order `o` that the clock of a custom queue counts from. */
export const CLOCK_BEGAN: Readonly<Record<DueField, string>> = {
  placed_at: 'o.placed_at',
  updated_at: 'o.updated_at',
  due_at: DUE_AT,
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

/** The orders of a built-in queue: those that wait, or those that somebody has snoozed; all of them, or those that are escalated. */
export type QueuePart = Readonly<{ id: string; snoozed: boolean; escalated: boolean }>;

/** The source of these orders. The worker has put them there, and its index has the order of their due times. */
export function queueItems(
  { id, snoozed, escalated }: QueuePart,
  sellers: readonly string[] | undefined,
  parameters: Parameters,
): Source {
  const queue = parameters.add(id);
  const only = [snoozed ? `w.queue = ${queue} and w.snoozed_until is not null` : `w.place = ${queue}`];
  if (escalated) only.push('w.escalated_at is not null');
  if (sellers) only.push(isKeptFor(parameters.add(sellers), 'w'));
  return { from: 'work_items w', only: only.join(' and ') };
}
