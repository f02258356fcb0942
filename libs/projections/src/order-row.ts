import type { Fulfillment, ReceivedPurchase } from '#domain/order/order-events';
import type { Status } from '#domain/status';
import type { RecordedEvent } from '#event-store/event';
import { isStatusEvent, orderIdOf, type RecordedOrderEvent, type RecordedStatusEvent } from './order-events.js';

/** The stage of an order. The platform sees only `placed` orders. */
export type Stage = 'awaiting_payment' | 'placed' | 'declined' | 'failed';

/** What the order waits for. The worker's sweep acts on it from `due_at` on. */
export type DueFor = 'payment_outcome' | 'confirmation' | 'payment_release';

/** The Purchase of the specification as sent over the wire, without the buyer's data in `delivery_method.data`. */
export type PurchaseDocument = {
  id: string;
  status: Status | null;
  product: ReceivedPurchase['product'];
  delivery_method: { type: string; data: Record<string, unknown> };
  fulfillment: Fulfillment | null;
  market_specific_fields?: Readonly<Record<string, unknown>>;
  ref_id?: string;
  status_history: (Status & { created_at: string })[];
};

/** The fields that staff see in addition to the purchase. Amounts are US cents. */
export type OrderSummary = {
  payment:
    | (NonNullable<ReceivedPurchase['payment']> & {
        state: 'asked' | 'authorised' | 'declined' | 'failed' | 'released';
        provider: string | null;
        reference: string | null;
        reason: string | null;
      })
    | null;
  trusted: boolean;
  personal_data: 'none' | 'kept' | 'erased';
};

/** A row of table `orders`. */
export type OrderRow = {
  id: string;
  version: number;
  client_id: string;
  variant: string;
  stage: Stage;
  status: string | null;
  status_code: number | null;
  status_message: string | null;
  event_id: string;
  listing_id: string;
  quantity: number;
  stock_held: number;
  total_cents: number;
  ref_id: string | null;
  transaction_id: string;
  placed_at: string;
  updated_at: string;
  due_for: DueFor | null;
  due_at: string | null;
  purchase: PurchaseDocument;
  summary: OrderSummary;
  /** `\x` and hex: the text form of bytea. */
  personal: string | null;
};

/** Folds the whole stream of an order into its row. A live append and a rebuild both use it. */
export function orderRow(events: readonly RecordedEvent[]): OrderRow {
  const [first, ...rest] = events as readonly RecordedOrderEvent[];
  if (first?.type !== 'PurchaseReceived') throw new Error('An order begins with PurchaseReceived.');
  const row = opened(first);
  let sentOut = false;
  for (const event of rest) {
    row.version = event.position;
    row.updated_at = event.recorded_at;
    if (isStatusEvent(event)) enterStatus(row, event, sentOut);
    sentOut ||= event.type === 'TicketsShipped' || event.type === 'TicketsDelivered';
    applyRest(row, event);
    const due = dueAfter(row, event, first);
    row.due_for = due?.for ?? null;
    row.due_at = due?.at ?? null;
  }
  return row;
}

function opened(event: Extract<RecordedOrderEvent, { type: 'PurchaseReceived' }>): OrderRow {
  const { data, metadata, recorded_at } = event;
  const id = orderIdOf(event.stream) ?? event.stream;
  return {
    id,
    version: event.position,
    client_id: data.client_id,
    variant: data.variant,
    stage: 'awaiting_payment',
    status: null,
    status_code: null,
    status_message: null,
    event_id: data.product.event_id,
    listing_id: data.product.listing_id,
    quantity: data.product.quantity,
    stock_held: data.product.quantity,
    total_cents: data.total_cents,
    ref_id: data.ref_id,
    transaction_id: metadata.transaction_id,
    placed_at: recorded_at,
    updated_at: recorded_at,
    due_for: 'payment_outcome',
    due_at: recorded_at,
    purchase: {
      id,
      status: null,
      product: data.product,
      delivery_method: { type: data.delivery_method, data: {} },
      fulfillment: null,
      ...(data.market_specific_fields && { market_specific_fields: data.market_specific_fields }),
      ...(data.ref_id !== null && { ref_id: data.ref_id }),
      status_history: [],
    },
    summary: {
      payment: data.payment && { ...data.payment, state: 'asked', provider: null, reference: null, reason: null },
      trusted: data.trusted,
      personal_data: data.personal === null ? 'none' : 'kept',
    },
    personal: data.personal === null ? null : `\\x${Buffer.from(data.personal, 'base64').toString('hex')}`,
  };
}

function enterStatus(row: OrderRow, event: RecordedStatusEvent, sentOut: boolean): void {
  const { status } = event.data;
  row.stage = 'placed';
  row.status = status.status;
  row.status_code = status.status_code;
  row.status_message = status.status_message;
  row.purchase.status = status;
  row.purchase.status_history.push({ ...status, created_at: event.recorded_at });
  // Sent tickets cannot be sold again, whatever happens to the order.
  if (status.status === 'rejected' && !sentOut) row.stock_held = 0;
}

function applyRest(row: OrderRow, event: RecordedOrderEvent): void {
  const { payment } = row.summary;
  switch (event.type) {
    case 'TicketsShipped':
    case 'TicketsDelivered':
      row.purchase.fulfillment = event.data.fulfillment ?? row.purchase.fulfillment;
      return;
    case 'FulfillmentCorrected':
      row.purchase.fulfillment = event.data.fulfillment;
      return;
    case 'PaymentAuthorised':
    case 'PaymentReleased':
      if (payment) {
        payment.state = event.type === 'PaymentAuthorised' ? 'authorised' : 'released';
        payment.provider = event.data.provider;
        payment.reference = event.data.reference;
      }
      return;
    case 'PaymentDeclined':
    case 'PaymentFailed':
      row.stock_held = 0;
      if (row.stage !== 'placed') row.stage = event.type === 'PaymentDeclined' ? 'declined' : 'failed';
      if (payment) {
        payment.state = event.type === 'PaymentDeclined' ? 'declined' : 'failed';
        payment.provider = event.data.provider;
        payment.reason = event.data.reason;
      }
      return;
    case 'PersonalDataErased':
      row.personal = null;
      row.summary.personal_data = 'erased';
      return;
    default:
      return;
  }
}

function dueAfter(
  row: OrderRow,
  event: RecordedOrderEvent,
  first: Extract<RecordedOrderEvent, { type: 'PurchaseReceived' }>,
): { for: DueFor; at: string } | undefined {
  const payment = row.summary.payment?.state;
  if (payment === 'asked') return { for: 'payment_outcome', at: first.recorded_at };
  if (payment === 'authorised' && row.status === 'rejected') return { for: 'payment_release', at: event.recorded_at };
  const minutes = first.data.confirm_within_minutes;
  if (minutes !== null && event.type === 'OrderPending') {
    const at = new Date(Date.parse(event.recorded_at) + minutes * 60_000).toISOString();
    return { for: 'confirmation', at };
  }
  // An event without a status does not change the deadline.
  if (!isStatusEvent(event) && row.due_for === 'confirmation') return { for: 'confirmation', at: row.due_at ?? '' };
  return undefined;
}
