import { type Fulfillment, isStatusEvent, type OrderEvent, type ReceivedPurchase } from '#domain/order-events';
import type { Deadline, KnownOrder, Replacement, Stage } from '#domain/order-state';
import { withoutBlanks } from '#domain/tracking-number';
import type { Status } from '#domain/status';
import type { RecordedEvent } from '#event-store/event';

/** The list of work that an order stands in. An order to confirm counts as overdue from its deadline on; no row says so. */
type Queue = 'to_confirm' | 'review' | 'to_ship' | 'to_deliver' | 'exceptions';

const REPLACEMENT_EVENTS: readonly OrderEvent['type'][] = [
  'ReplacementOffered',
  'ReplacementAccepted',
  'ReplacementRejected',
];

/** The worker's sweep acts on it from `due_at` on. */
export type DueFor = Deadline['for'];

/** Without the buyer's data in `delivery_method.data`. */
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

type PaymentProgress = {
  state: 'asked' | 'authorised' | 'declined' | 'failed' | 'released';
  provider: string | null;
  reference: string | null;
  reason: string | null;
  /** US cents of cheaper tickets: given back, and about to be. Missing for none. */
  returned_cents?: number;
  return_due_cents?: number;
};

/** In addition to the purchase, for staff. Amounts are US cents. */
export type OrderSummary = {
  payment: (NonNullable<ReceivedPurchase['payment']> & PaymentProgress) | null;
  trusted: boolean;
  personal_data: 'none' | 'kept' | 'erased';
  /** Missing if no other tickets were set aside. */
  replacement?: Replacement;
  /** Missing if there is nothing to warn of. */
  card_data_in_ref_id?: true;
};

type HeldTickets = Readonly<{ listing_id: string; quantity: number }>;

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
  /** Tickets of other listings that the order holds: offered ones, and earlier ones that were sent. */
  other_tickets: readonly HeldTickets[] | null;
  total_cents: number;
  ref_id: string | null;
  transaction_id: string;
  seller: string | null;
  placed_at: string;
  updated_at: string;
  due_for: DueFor | null;
  due_at: string | null;
  queue: Queue | null;
  tracking_number: string | null;
  card_last4: string | null;
  has_replacement: boolean;
  has_refund: boolean;
  /** `personal` has the market's own fields. Null for most orders, so that the column costs nothing. */
  sealed_market_fields: true | null;
  purchase: PurchaseDocument;
  summary: OrderSummary;
  /** `\x` and hex: the text form of bytea. */
  personal: string | null;
};

/** Maps an order and all its events to its row. A live append and a rebuild both use it. */
export function orderRow(id: string, order: KnownOrder, events: readonly RecordedEvent<OrderEvent>[]): OrderRow {
  const { purchase: received, status, deadline } = order;
  const { personal } = received;
  return {
    id,
    version: order.version,
    client_id: received.client_id,
    variant: received.variant,
    stage: order.stage,
    status: status?.status ?? null,
    status_code: status?.status_code ?? null,
    status_message: status?.status_message ?? null,
    event_id: received.product.event_id,
    listing_id: received.product.listing_id,
    quantity: received.product.quantity,
    stock_held: order.tickets.held,
    other_tickets: otherTickets(order),
    total_cents: received.total_cents,
    ref_id: received.ref_id,
    transaction_id: events.find(({ type }) => type === 'PurchaseReceived')?.metadata.transaction_id ?? '',
    seller: received.seller ?? null,
    placed_at: order.receivedAt,
    updated_at: order.updatedAt,
    due_for: deadline?.for ?? null,
    due_at: deadline?.at ?? null,
    queue: queueOf(order, events),
    tracking_number: order.fulfillment?.type === 'ship' ? withoutBlanks(order.fulfillment.data.tracking_number) : null,
    card_last4: received.payment?.last_four ?? null,
    has_replacement: events.some(({ type }) => REPLACEMENT_EVENTS.includes(type)),
    has_refund: events.some(isRefund),
    sealed_market_fields: received.market_specific_fields_sealed ?? null,
    purchase: purchaseDocument(id, order),
    summary: orderSummary(order),
    personal:
      personal === null || order.personalDataErased ? null : `\\x${Buffer.from(personal, 'base64').toString('hex')}`,
  };
}

function isRefund(event: OrderEvent): boolean {
  return (event.type === 'PaymentReleased' || event.type === 'PaymentPartlyReleased') && event.data.how === 'refunded';
}

function queueOf(
  { status, tickets, purchase }: KnownOrder,
  events: readonly RecordedEvent<OrderEvent>[],
): OrderRow['queue'] {
  switch (status?.status) {
    case 'pending':
      return events.findLast(isStatusEvent)?.type === 'OrderHeldForReview' ? 'review' : 'to_confirm';
    case 'confirmed':
      if (tickets.sent) return null;
      return purchase.delivery_method === 'ship' ? 'to_ship' : 'to_deliver';
    case 'exception':
      return 'exceptions';
    default:
      return null;
  }
}

/** Without what is sealed. Of older purchases the market's own fields are there until they are erased. */
export function purchaseDocument(id: string, order: KnownOrder): PurchaseDocument {
  const { delivery_method: type, market_specific_fields, ref_id, product } = order.purchase;
  return {
    id,
    status: order.status,
    product,
    delivery_method: { type, data: {} },
    fulfillment: order.fulfillment,
    ...(market_specific_fields && !order.personalDataErased && { market_specific_fields }),
    ...(ref_id !== null && { ref_id }),
    // Each field by name: a spread for each of a thousand statuses takes as long as folding their events.
    status_history: order.statuses.map(({ status: { status, status_message, status_code }, at }) => {
      return { status, status_message, status_code, created_at: at };
    }),
  };
}

/** Null for almost all orders, so that the column costs nothing. */
function otherTickets(order: KnownOrder): readonly HeldTickets[] | null {
  const { replacement, sentBefore } = order;
  if (replacement?.state !== 'open' || replacement.imported) return sentBefore.length > 0 ? sentBefore : null;
  return [...sentBefore, { listing_id: replacement.listing_id, quantity: replacement.quantity }];
}

function orderSummary(order: KnownOrder): OrderSummary {
  const { purchase, personalDataErased, replacement } = order;
  const kept = purchase.personal === null ? 'none' : 'kept';
  return {
    payment: purchase.payment && { ...purchase.payment, ...paymentProgress(order) },
    trusted: purchase.trusted,
    personal_data: personalDataErased ? 'erased' : kept,
    ...(replacement && { replacement }),
    ...(purchase.card_data_in_ref_id && { card_data_in_ref_id: true }),
  };
}

function paymentProgress({ payment, deadline, differenceDue }: KnownOrder): PaymentProgress {
  const unknown = { provider: null, reference: null, reason: null };
  switch (payment.is) {
    case 'none':
    case 'asked':
      return { state: 'asked', ...unknown };
    case 'not_taken':
      return { state: payment.how, ...unknown, provider: payment.provider, reason: payment.reason };
    case 'authorised':
    case 'released':
      return {
        state: payment.is,
        ...unknown,
        provider: payment.provider,
        reference: payment.reference,
        ...(payment.returned_cents !== undefined && { returned_cents: payment.returned_cents }),
        ...(deadline?.for === 'price_difference' && differenceDue && { return_due_cents: differenceDue.cents }),
      };
  }
}
