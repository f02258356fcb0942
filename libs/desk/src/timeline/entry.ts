import type { TimelineEntry } from '../timeline.contract.js';

/** An entry before its actor has a name. `order` sorts the entries of one source that happened in the same millisecond. */
export type UnnamedEntry = Omit<TimelineEntry, 'actor_name'> & Readonly<{ order: string }>;

// The consequences of an event come after it, even in the same millisecond.
const RANK: Readonly<Record<TimelineEntry['kind'], number>> = {
  event: 0,
  payment: 0,
  ping: 1,
  assignment: 2,
  reveal: 2,
  note: 2,
  ping_attempt: 3,
  webhook_attempt: 4,
  platform_read: 5,
  email: 6,
  download: 6,
};

/** Sorts as text. Unique within an order. */
export function sortKey({ at, kind, order }: UnnamedEntry): string {
  return `${at} ${RANK[kind]} ${order}`;
}

export function isSortKey(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z \d /.test(text);
}

/** So that 10 comes after 9. */
export function padded(value: number): string {
  return String(value).padStart(10, '0');
}
