import type { OrderEvent } from '#domain/order/order-events';
import type { RecordedEvent } from '#event-store/event';
import { padded, type UnnamedEntry } from './entry.js';
import { eventTitle } from './event-titles.js';

/** Sealed or internal, and of no use to a reader. */
const HIDDEN_FIELDS = ['personal', 'duplicate_key'];

export function eventEntry(event: RecordedEvent<OrderEvent>): UnnamedEntry {
  const data = Object.fromEntries(Object.entries(event.data).filter(([name]) => !HIDDEN_FIELDS.includes(name)));
  return {
    at: event.recorded_at,
    kind: event.type.startsWith('Payment') ? 'payment' : 'event',
    actor: event.metadata.actor,
    title: eventTitle(event),
    detail: { type: event.type, ...data },
    transaction_id: event.metadata.transaction_id,
    version: event.position,
    order: padded(event.position),
  };
}
