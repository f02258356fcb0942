import type { OrderStatus } from './order-status.js';

/** One change of one order. Feed, live stream and webhooks send the same entry. */
export type PingEntry = Readonly<{
  /** The same in every delivery of this change. Use it to detect duplicates. */
  id: string;
  /** The position in the stream of all orders. It only grows, with gaps. Resume after it. */
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

/** Ignores other keys. */
export function isPingEntry(value: unknown): value is PingEntry {
  const entry = (value ?? {}) as Partial<Record<keyof PingEntry, unknown>>;
  const texts = [entry.id, entry.order_id, entry.status, entry.status_message, entry.occurred_at, entry.transaction_id];
  const numbers = [entry.position, entry.sequence, entry.status_code];
  const hasReference = entry.ref_id === null || typeof entry.ref_id === 'string';
  return hasReference && texts.every((text) => typeof text === 'string') && numbers.every(Number.isSafeInteger);
}
