import type { Status } from '../status.js';
import {
  type Fulfillment,
  isOrderEventType,
  isStatusEvent,
  type OrderEvent,
  type ReceivedPurchase,
  type StatusEvent,
} from './order-events.js';

/** The stages of an order. The platform sees only `placed` orders. */
export const STAGES = ['placed', 'awaiting_payment', 'declined', 'failed'] as const;
export type Stage = (typeof STAGES)[number];

/** How far the payment is. `none` in the wholesale variant; `asked` until the provider's answer is recorded. */
export type PaymentState =
  | Readonly<{ is: 'none' | 'asked' }>
  | Readonly<{ is: 'not_taken'; how: 'declined' | 'failed'; provider: string; reason: string }>
  | Readonly<{ is: 'authorised' | 'released'; provider: string; reference: string; amount_cents: number }>;

/** What the order waits for. The worker acts on it from `at` on. */
export type Deadline = Readonly<{ for: 'payment_outcome' | 'confirmation' | 'payment_release'; at: string }>;

/** Times are ISO 8601, UTC: those at which the events were recorded. */
export type KnownOrder = Readonly<{
  known: true;
  /** Number of events so far; what staff send as `If-Match`. */
  version: number;
  receivedAt: string;
  updatedAt: string;
  purchase: ReceivedPurchase;
  stage: Stage;
  /** Null until the platform may see the purchase: while the payment is open, and for ever when it was declined. */
  status: Status | null;
  /** Every status so far, oldest first. Each one has a ping. */
  statuses: readonly Readonly<{ status: Status; at: string }>[];
  deadline: Deadline | null;
  /** `held`: how many tickets nobody else can buy. `sent`: whether they went out. */
  tickets: Readonly<{ held: number; sent: boolean }>;
  payment: PaymentState;
  fulfillment: Fulfillment | null;
  personalDataErased: boolean;
}>;
export type Order = Readonly<{ known: false }> | KnownOrder;

type Recorded<E> = E & Readonly<{ recorded_at: string }>;
type LaterEvent = Recorded<Exclude<OrderEvent, { type: 'PurchaseReceived' }>>;

/** What an event makes of an order. Everything that is known about an order comes from here. */
export function evolve(order: Order, event: Recorded<OrderEvent>): Order {
  if (event.type === 'PurchaseReceived') return received(event.data, event.recorded_at);
  if (!order.known) throw new Error(`An order begins with PurchaseReceived: ${event.type} cannot be the first event.`);
  const next = {
    ...order,
    ...changes(order, event),
    version: order.version + 1,
    updatedAt: event.recorded_at,
  };
  return { ...next, deadline: deadlineAfter(event, next) };
}

/** Returns how many statuses the order has had. They are counted from 1, and so are its pings. */
export function statusCount(order: Order): number {
  return order.known ? order.statuses.length : 0;
}

/** The fold of an order's events, in the form in which the event store runs it. */
export const orderFold = { initial: { known: false } as Order, evolve, knows: isOrderEventType };

function received(purchase: ReceivedPurchase, at: string): KnownOrder {
  return {
    known: true,
    version: 1,
    receivedAt: at,
    updatedAt: at,
    purchase,
    stage: 'awaiting_payment',
    status: null,
    statuses: [],
    deadline: { for: 'payment_outcome', at },
    tickets: { held: purchase.product.quantity, sent: false },
    payment: { is: purchase.payment ? 'asked' : 'none' },
    fulfillment: null,
    personalDataErased: false,
  };
}

/** There is no `default`: an event that is missing here does not compile. */
function changes(order: KnownOrder, event: LaterEvent): Partial<KnownOrder> {
  switch (event.type) {
    case 'PaymentAuthorised':
      return { payment: { is: 'authorised', ...event.data } };
    case 'PaymentDeclined':
      return withoutPayment(order, { is: 'not_taken', how: 'declined', ...event.data });
    case 'PaymentFailed':
      return withoutPayment(order, { is: 'not_taken', how: 'failed', ...event.data });
    case 'PaymentReleased':
      return order.payment.is === 'authorised' ? { payment: { ...order.payment, is: 'released' } } : {};
    case 'TicketsShipped':
    case 'TicketsDelivered': {
      const entered = statusEntered(order, event);
      const fulfillment = event.data.fulfillment ?? order.fulfillment;
      return { ...entered, fulfillment, tickets: { ...entered.tickets, sent: true } };
    }
    case 'OrderPending':
    case 'OrderHeldForReview':
    case 'OrderConfirmed':
    case 'ReplacementOffered':
    case 'ReplacementAccepted':
    case 'ReplacementRejected':
    case 'OrderRejected':
    case 'OrderExceptionRaised':
      return statusEntered(order, event);
    case 'FulfillmentCorrected':
      return { fulfillment: event.data.fulfillment };
    case 'PersonalDataErased':
      return { personalDataErased: true };
  }
}

function withoutPayment(
  { stage, tickets }: KnownOrder,
  payment: Extract<PaymentState, { is: 'not_taken' }>,
): Pick<KnownOrder, 'payment' | 'stage' | 'tickets'> {
  return { payment, stage: stage === 'placed' ? stage : payment.how, tickets: { ...tickets, held: 0 } };
}

function statusEntered(
  { statuses, tickets }: KnownOrder,
  { data: { status }, recorded_at: at }: Recorded<StatusEvent>,
): Pick<KnownOrder, 'stage' | 'status' | 'statuses' | 'tickets'> {
  // Tickets that went out are not sold again, whatever becomes of the order.
  const givenBack = status.status === 'rejected' && !tickets.sent;
  return {
    stage: 'placed',
    status,
    statuses: [...statuses, { status, at }],
    tickets: givenBack ? { ...tickets, held: 0 } : tickets,
  };
}

/** @param order as the event left it, still with the deadline from before. */
function deadlineAfter(event: LaterEvent, { payment, status, purchase, deadline }: KnownOrder): Deadline | null {
  const at = event.recorded_at;
  if (payment.is === 'asked') return deadline;
  if (payment.is === 'authorised' && status?.status === 'rejected') return { for: 'payment_release', at };
  const minutes = purchase.confirm_within_minutes;
  if (event.type === 'OrderPending' && minutes !== null) {
    return { for: 'confirmation', at: new Date(Date.parse(at) + minutes * 60_000).toISOString() };
  }
  // An event without a status does not move the deadline.
  return deadline?.for === 'confirmation' && !isStatusEvent(event) ? deadline : null;
}
