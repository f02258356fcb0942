import type { QUEUES } from '#orders/order-condition.contract';
import type { DueField } from '#orders/order-search.contract';

export type BuiltInQueue = (typeof QUEUES)[number];

/** The orders that the worker puts there, each with a due time of its own. */
export type FixedQueue = Readonly<{ id: BuiltInQueue; name: string; where: null; due: null }>;

/** The orders that meet a condition of staff. */
export type CustomQueue = Readonly<{
  id: string;
  name: string;
  /** As it was sent. */
  where: Readonly<Record<string, unknown>>;
  /** An order is due so many minutes after this time of it. */
  due: Readonly<{ field: DueField; minutes: number }>;
}>;

/** Orders to be worked on, first those that are due first. */
export type WorkQueue = FixedQueue | CustomQueue;

const fixed = (id: BuiltInQueue, name: string): FixedQueue => ({ id, name, where: null, due: null });

/** Each open order is in one of them at most. */
export const PLACE_QUEUES: readonly FixedQueue[] = [
  fixed('to_confirm', 'To confirm'),
  fixed('review', 'Under review'),
  fixed('to_ship', 'To ship'),
  fixed('to_deliver', 'To deliver'),
  fixed('exceptions', 'Exceptions'),
  fixed('overdue', 'Overdue'),
];

// Someone looks at money within a day.
const MONEY_MINUTES = 24 * 60;

/** Found by a condition like a custom queue, because an order with a task about money is in a queue of its status too. */
const MONEY_QUEUE: CustomQueue = {
  id: 'money',
  name: 'Money',
  where: { field: 'has', op: '=', value: 'money_task' },
  due: { field: 'updated_at', minutes: MONEY_MINUTES },
};

export const BUILT_IN_QUEUES: readonly WorkQueue[] = [...PLACE_QUEUES, MONEY_QUEUE];

export const builtInQueue = (id: string): WorkQueue | undefined => BUILT_IN_QUEUES.find((queue) => queue.id === id);

/** By the order's place. */
export const isPlaceQueue = (queue: WorkQueue): queue is FixedQueue => queue.where === null;

/** An order that stays in its queue for longer is marked, given to `assignee` (an operator's id), and announced to the address `notify`. */
export type EscalationRule = Readonly<{ after_minutes: number; assignee: string | null; notify: string | null }>;

/** `assignee_name`: null without an assignee. */
export type NamedEscalation = EscalationRule & Readonly<{ assignee_name: string | null }>;
