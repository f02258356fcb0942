import type { OrderEvent, StatusEvent } from '#domain/order/order-events';
import type { RecordedEvent } from '#event-store/event';
import { idInStream } from '#event-store/stream-name';

type Recorded<E> = E & Omit<RecordedEvent, 'type' | 'data'>;

/** A stored event of an order, discriminated by its type. */
export type RecordedOrderEvent = Recorded<OrderEvent>;
export type RecordedStatusEvent = Recorded<StatusEvent>;

/** Returns the order id from the stream's name; undefined for a stream of another kind. */
export function orderIdOf(stream: string): string | undefined {
  return idInStream('order', stream);
}

/** Returns whether the event adds one entry to `status_history` and one ping. */
export function isStatusEvent(event: RecordedEvent | RecordedOrderEvent): event is RecordedStatusEvent {
  return 'status' in event.data;
}
