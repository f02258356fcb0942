import { isPaymentEventType } from '#domain/payment-events';
import type { OrderEvent } from '#domain/order-events';
import type { RecordedEvent } from '#event-store/event';
import { actorOf } from '#orders/status-history.projection';
import { padded, type UnnamedEntry } from './entry.js';
import { eventTitle } from './event-titles.js';

/** Sealed or internal, and of no use to a reader. The order shows the market's own fields. */
const HIDDEN_FIELDS = [
  'personal',
  'duplicate_key',
  'market_specific_fields',
  'market_specific_fields_sealed',
  'note',
  'sealed_note',
];

function kindOf(type: OrderEvent['type']): UnnamedEntry['kind'] {
  if (type === 'TicketDownloaded') return 'download';
  return isPaymentEventType(type) ? 'payment' : 'event';
}

/** @param note what a person wrote about it; undefined for nothing, or after it was erased */
export function eventEntry(event: RecordedEvent<OrderEvent>, note: string | undefined): UnnamedEntry {
  const data = Object.fromEntries(Object.entries(event.data).filter(([name]) => !HIDDEN_FIELDS.includes(name)));
  return {
    at: event.recorded_at,
    kind: kindOf(event.type),
    actor: actorOf(event),
    title: eventTitle(event),
    detail: { type: event.type, ...data, ...(note !== undefined && { note }) },
    transaction_id: event.metadata.transaction_id,
    version: event.position,
    order: padded(event.position),
  };
}
