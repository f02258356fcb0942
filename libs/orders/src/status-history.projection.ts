import { isImportedActor, isStatusEvent, type OrderEvent } from '#domain/order-events';
import { type Order, statusCount } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

export type StatusHistoryRow = {
  order_id: string;
  /** Starts at 1 within the order. Also the number of the ping that announces it. */
  sequence: number;
  position: number;
  status: string;
  status_code: number;
  status_message: string;
  actor: string;
  /** What Willcall itself wrote, and notes from before they were sealed. Both notes end with the buyer's data. */
  note: string | null;
  /** Base64. */
  sealed_note: string | null;
  recorded_at: string;
};

const STATUS_HISTORY_COLUMNS = {
  order_id: 'text',
  sequence: 'int',
  position: 'int',
  status: 'text',
  status_code: 'int',
  status_message: 'text',
  actor: 'text',
  note: 'text',
  sealed_note: 'text',
  recorded_at: 'timestamptz',
} as const;

const names = Object.keys(STATUS_HISTORY_COLUMNS).join(', ');

export const statusHistoryProjection: InlineProjection<Order, OrderEvent> = {
  name: 'status_history',
  columns: STATUS_HISTORY_COLUMNS,
  statement: (rows) => `insert into status_history (${names}) select ${names} from ${rows} returning 1`,
  rows: statusHistoryRows,
};

/** Who decided it. What a policy decides is part of the platform's request. */
export function actorOf({ data, metadata }: RecordedEvent<OrderEvent>): string {
  const { actor } = metadata;
  return 'policy' in data && data.policy && 'status' in data && !isImportedActor(actor) ? 'system:policy' : actor;
}

export function statusHistoryRows({ stream, before, appended }: AppendContext<Order, OrderEvent>): StatusHistoryRow[] {
  const erasedAt = appended.findLast(({ type }) => type === 'PersonalDataErased')?.position ?? 0;
  const orderId = orderIdOf(stream) ?? stream;
  // Each field by name: spreading the status takes most of the time of an order with a thousand of them.
  return appended.filter(isStatusEvent).map((event, index) => ({
    order_id: orderId,
    sequence: statusCount(before) + index + 1,
    position: event.position,
    status: event.data.status.status,
    status_code: event.data.status.status_code,
    status_message: event.data.status.status_message,
    actor: actorOf(event),
    note: event.position < erasedAt ? null : (event.data.note ?? null),
    sealed_note: event.position < erasedAt ? null : (event.data.sealed_note ?? null),
    recorded_at: event.recorded_at,
  }));
}
