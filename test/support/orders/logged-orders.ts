import type { Pool } from 'pg';
import type { ReceivedPurchase, StatusEvent } from '#domain/order-events';
import type { Status } from '#domain/status';

/** An order as its events tell it. Does not use the projections or the fold of the domain. */
export type LoggedOrder = Readonly<{
  placedAt: string;
  clientId: string;
  seller: string | null;
  eventId: string;
  quantity: number;
  totalCents: number;
  stage: string;
  status: Status | null;
  /** A person has not decided yet whether it is honest. */
  isUnderReview: boolean;
  /** Confirmed at once. */
  isAutomatic: boolean;
  /** From the purchase to the first confirmation; null if it was confirmed at once, or never. */
  confirmMs: number | null;
  /** From the first confirmation until the tickets were sent. */
  shipMs: number | null;
  refunded: boolean;
  /** Of all statuses, oldest first. */
  codes: readonly number[];
  isSent: boolean;
}>;

type Logged = { type: string; data: Record<string, unknown>; recorded_at: Date };

/** Every order of the event log, in the order of placing. */
export async function loggedOrders(pool: Pool): Promise<LoggedOrder[]> {
  const { rows } = await pool.query<Logged & { stream: string }>(
    'select stream, type, data, recorded_at from events order by stream, position',
  );
  const streams = new Map<string, Logged[]>();
  for (const { stream, ...event } of rows) streams.set(stream, [...(streams.get(stream) ?? []), event]);
  return [...streams.values()].map(orderOf).sort((a, b) => (a.placedAt < b.placedAt ? -1 : 1));
}

function orderOf(events: readonly Logged[]): LoggedOrder {
  const [first] = events;
  const purchase = first?.data as unknown as ReceivedPurchase;
  const placedAt = first?.recorded_at ?? new Date(0);
  const statuses = events
    .filter(({ data }) => 'status' in data)
    .map(({ type, data, recorded_at: at }) => ({ type, at, status: (data as unknown as StatusEvent['data']).status }));
  const confirmed = statuses.find(({ status }) => status.status === 'confirmed');
  const sent = statuses.find(({ type }) => type === 'TicketsShipped' || type === 'TicketsDelivered');
  const isAutomatic = confirmed !== undefined && confirmed === statuses[0];
  const isNotTaken = (type: string) => events.some((event) => event.type === type);
  const others = isNotTaken('PaymentDeclined')
    ? 'declined'
    : isNotTaken('PaymentFailed')
      ? 'failed'
      : 'awaiting_payment';
  return {
    placedAt: placedAt.toISOString(),
    clientId: purchase.client_id,
    seller: purchase.seller ?? null,
    eventId: purchase.product.event_id,
    quantity: purchase.product.quantity,
    totalCents: purchase.total_cents,
    stage: statuses.length > 0 ? 'placed' : others,
    status: statuses.at(-1)?.status ?? null,
    isUnderReview: statuses.at(-1)?.type === 'OrderHeldForReview',
    isAutomatic,
    confirmMs: confirmed && !isAutomatic ? confirmed.at.getTime() - placedAt.getTime() : null,
    shipMs: sent ? sent.at.getTime() - (confirmed ?? sent).at.getTime() : null,
    codes: statuses.map(({ status }) => status.status_code),
    isSent: sent !== undefined,
    refunded: isRefunded(events),
  };
}

/** A refund that is neither declined nor failed, or one of a version before captures. */
function isRefunded(events: readonly Logged[]): boolean {
  const ended = events.filter(({ type }) => type === 'RefundDeclined' || type === 'RefundFailed');
  const without = new Set(ended.map(({ data }) => data['refund_id']));
  return events.some(({ type, data }) =>
    type === 'RefundRequested'
      ? !without.has(data['refund_id'])
      : type === 'PaymentReleased' && data['how'] === 'refunded',
  );
}
