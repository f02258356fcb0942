import type { ChoiceAnswer } from '#domain/choice-events';
import type { Actor, NextActionName, OrderQueue } from '#domain/next-action';
import type { OrderEvent, ReceivedPurchase } from '#domain/order-events';
import { isOpenRefund } from '#domain/payment-amounts';
import { isProvided } from '#domain/payment-state';
import { nextPaymentStep } from '#domain/payment-steps';
import { type DeliveryRecord, deliveryRecord, sealedClaims } from './delivery-records.js';
import type { SealedClaim } from './transfer-recipient.js';
import { type EarlierPaymentProgress, type PaymentProgress, paymentProgress } from './payment-progress.js';
import type { Deadline } from '#domain/deadline';
import type { HeldTickets, KnownOrder, Replacement, Stage } from '#domain/order-state';
import { withoutBlanks } from '#domain/tracking-number';
import { type PurchaseDocument, purchaseDocument } from './purchase-document.js';
import type { RecordedEvent } from '#event-store/event';

const REPLACEMENT_EVENTS: readonly OrderEvent['type'][] = [
  'ReplacementOffered',
  'ReplacementAccepted',
  'ReplacementRejected',
];

/** The worker's sweep acts on it from `due_at` on. */
export type DueFor = Deadline['for'];

/** In addition to the purchase, for staff. Amounts are US cents. */
export type OrderSummary = {
  payment: (NonNullable<ReceivedPurchase['payment']> & (PaymentProgress | EarlierPaymentProgress)) | null;
  trusted: boolean;
  personal_data: 'none' | 'kept' | 'erased';
  /** Missing if no other tickets were set aside. */
  replacement?: Replacement;
  /** Missing as `deliveryRecord` says. */
  delivery?: DeliveryRecord;
  /** Missing if there is nothing to warn of. */
  card_data_in_ref_id?: true;
};

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
  /** The names of the tickets that are held, if the listing names them. */
  stock_seats: readonly string[] | null;
  /** Tickets of other listings that the order holds: offered ones, and earlier ones that were sent. */
  other_tickets: readonly HeldTickets[] | null;
  total_cents: number;
  ref_id: string | null;
  transaction_id: string;
  seller: string | null;
  /** The seller's own id of the listing. */
  external_id: string | null;
  /** The seller did not have the tickets yet. */
  speculative: boolean;
  placed_at: string;
  updated_at: string;
  due_for: DueFor | null;
  due_at: string | null;
  /** What the worker does next about the money, and from when on. */
  payment_step: string | null;
  payment_due_at: string | null;
  /** An order to confirm counts as overdue from its deadline on; no row says so. */
  queue: OrderQueue | null;
  /** Null: `done`. */
  next_action: NextActionName | null;
  /** Null: `nobody`. */
  acts: Actor | null;
  /** When an open action began. Null if that was with the last status. */
  action_since: string | null;
  /** Null for most orders. */
  sealed_claims: readonly SealedClaim[] | null;
  /** The job that asked the buyer last whether to keep the tickets of a postponed show. Null for most orders. */
  choice_job: string | null;
  choice_until: string | null;
  choice_answer: ChoiceAnswer | null;
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
  const step = nextPaymentStep(order);
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
    stock_seats: order.tickets.seats ?? null,
    other_tickets: otherTickets(order),
    total_cents: received.total_cents,
    ref_id: received.ref_id,
    transaction_id: events.find(({ type }) => type === 'PurchaseReceived')?.metadata.transaction_id ?? '',
    seller: received.seller ?? null,
    external_id: received.product.external_id ?? null,
    speculative: received.product.speculative ?? false,
    placed_at: order.receivedAt,
    updated_at: order.updatedAt,
    due_for: deadline?.for ?? null,
    due_at: deadline?.at ?? null,
    payment_step: step?.step ?? null,
    payment_due_at: step?.at ?? null,
    queue: order.next.queue,
    next_action: order.next.action === 'done' ? null : order.next.action,
    acts: order.next.acts === 'nobody' ? null : order.next.acts,
    action_since: order.next.queue === null ? null : order.next.since,
    sealed_claims: sealedClaims(order),
    choice_job: order.choice?.job ?? null,
    choice_until: order.choice?.until ?? null,
    choice_answer: order.choice?.answer ?? null,
    tracking_number: order.fulfillment?.type === 'ship' ? withoutBlanks(order.fulfillment.data.tracking_number) : null,
    card_last4: received.payment?.last_four ?? null,
    has_replacement: events.some(({ type }) => REPLACEMENT_EVENTS.includes(type)),
    has_refund: hasRefund(order),
    sealed_market_fields: received.market_specific_fields_sealed ?? null,
    purchase: purchaseDocument(id, order),
    summary: orderSummary(order, events),
    personal:
      personal === null || order.personalDataErased ? null : `\\x${Buffer.from(personal, 'base64').toString('hex')}`,
  };
}

/** Any that is not declined or failed. Versions before captures recorded a refund as a release. */
function hasRefund({ refunds, payment }: KnownOrder): boolean {
  if (refunds.some((refund) => isOpenRefund(refund) || refund.state === 'succeeded')) return true;
  return isProvided(payment) && (payment.released_how === 'refunded' || payment.refunded_parts_cents !== undefined);
}

/** Null for almost all orders, so that the column costs nothing. */
function otherTickets(order: KnownOrder): readonly HeldTickets[] | null {
  const { replacement, sentBefore } = order;
  if (replacement?.state !== 'open' || replacement.imported) return sentBefore.length > 0 ? sentBefore : null;
  const { listing_id, quantity, seats } = replacement;
  return [...sentBefore, { listing_id, quantity, ...(seats && { seats }) }];
}

function orderSummary(order: KnownOrder, events: readonly RecordedEvent<OrderEvent>[]): OrderSummary {
  const delivery = deliveryRecord(order, events);
  const { purchase, personalDataErased, replacement } = order;
  const kept = purchase.personal === null ? 'none' : 'kept';
  return {
    payment: purchase.payment && { ...purchase.payment, ...paymentProgress(order) },
    trusted: purchase.trusted,
    personal_data: personalDataErased ? 'erased' : kept,
    ...(replacement && { replacement }),
    ...(delivery && { delivery }),
    ...(purchase.card_data_in_ref_id && { card_data_in_ref_id: true }),
  };
}
