import type { OrderEvent, StatusEvent } from '#domain/order/order-events';
import type { RecordedEvent } from '#event-store/event';
import { idInStream } from '#event-store/stream-name';

type Recorded<E> = E & Omit<RecordedEvent, 'type' | 'data'>;

/** An order's event as the log has it, discriminated by its type. */
export type RecordedOrderEvent = Recorded<OrderEvent>;
export type RecordedStatusEvent = Recorded<StatusEvent>;

/** The order id in the name of its stream; undefined for a stream that is no order's. */
export function orderIdOf(stream: string): string | undefined {
  return idInStream('order', stream);
}

/** True for the events that are one entry of `status_history` and one ping each. */
export function isStatusEvent(event: RecordedEvent | RecordedOrderEvent): event is RecordedStatusEvent {
  return 'status' in event.data;
}
