import type { OrderStatus } from './order-status.js';

/** One change of one order, the same over feed, live stream and webhooks. */
export type PingEntry = Readonly<{
  /** The same wherever and however often the change is told: what to recognise repetitions by. */
  id: string;
  /** The place in the stream of all orders: it only grows, with gaps. What to resume after. */
  position: number;
  order_id: string;
  /** The platform's own reference. */
  ref_id: string | null;
  /** 1, 2, 3 … within the order. */
  sequence: number;
  status: OrderStatus;
  status_message: string;
  status_code: number;
  /** ISO 8601, UTC. */
  occurred_at: string;
  transaction_id: string;
}>;

/** Whether it has what makes an entry; keys beyond them are left alone. */
export function isPingEntry(value: unknown): value is PingEntry {
  const entry = (value ?? {}) as Partial<Record<keyof PingEntry, unknown>>;
  const texts = [entry.id, entry.order_id, entry.status, entry.status_message, entry.occurred_at, entry.transaction_id];
  const numbers = [entry.position, entry.sequence, entry.status_code];
  const hasReference = entry.ref_id === null || typeof entry.ref_id === 'string';
  return hasReference && texts.every((text) => typeof text === 'string') && numbers.every(Number.isSafeInteger);
}
