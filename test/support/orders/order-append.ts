import type { OrderEvent } from '#domain/order-events';
import { type KnownOrder, type Order, orderFold } from '#domain/order-state';
import type { RecordedEvent } from '#event-store/event';
import type { AppendContext } from '#event-store/inline-projection';
import { fold } from '#event-store/stream-definition';

const STREAM = 'order-ord_1';

/** The events as recorded, one second apart from noon on, each with its own transaction id. */
export function recorded(...events: readonly OrderEvent[]): RecordedEvent<OrderEvent>[] {
  return events.map((event, index) => ({
    ...event,
    stream: STREAM,
    position: index + 1,
    event_id: `evt_${index + 1}`,
    metadata: { transaction_id: `t${index + 1}`, actor: index === 0 ? 'platform:acme' : 'staff:administrator' },
    recorded_at: `2026-11-21T12:00:0${index}.000Z`,
  }));
}

/** The context of an inline projection when the events from `pastCount` on are appended to the earlier ones. */
export function orderAppend(
  events: readonly RecordedEvent<OrderEvent>[],
  pastCount = 0,
  attachments: AppendContext['attachments'] = {},
): AppendContext<Order, OrderEvent> {
  const [past, appended] = [events.slice(0, pastCount), events.slice(pastCount)];
  const before = fold(orderFold, past);
  return {
    stream: events[0]?.stream ?? STREAM,
    past,
    appended,
    before,
    after: fold(orderFold, appended, before),
    attachments,
  };
}

/** The order after these events. */
export function orderOf(events: readonly RecordedEvent<OrderEvent>[]): KnownOrder {
  const order = fold(orderFold, events);
  if (!order.known) throw new Error('There are no events.');
  return order;
}
