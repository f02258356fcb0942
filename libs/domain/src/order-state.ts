import type { Choice } from './choice-events.js';
import { deliveryAfter } from './delivery-fold.js';
import { deliveryAnew, type DeliveryState, NO_DELIVERY } from './delivery-state.js';
import { isHandedOver, keptSeats } from './handover.js';
import { type NextStep, nextStepAfter, NOTHING_TO_DO } from './next-action.js';
import { type Deadline, deadlineAfter } from './deadline.js';
import { booksAfter, NO_BOOKS, type OrderBooks } from './order-books.js';
import type { Status } from './status.js';
import {
  type Fulfillment,
  isOrderEventType,
  type OrderEvent,
  type ProposedTickets,
  type ReceivedPurchase,
  type StatusEvent,
} from './order-events.js';
import type { Noted } from './noted.js';
import type { PaymentEvent } from './payment-events.js';
import { borneBy } from './payment-amounts.js';
import { sellerAccount } from './purchase-parts.js';
import { applyPaymentEvent, type Payments, type PaymentState } from './payment-state.js';

/** The platform sees only `placed` orders. */
export const STAGES = ['placed', 'awaiting_payment', 'declined', 'failed'] as const;
export type Stage = (typeof STAGES)[number];

/** The last offer of other tickets. `withdrawn`: the order went on without an answer of the buyer. */
export type Replacement = ProposedTickets &
  Readonly<{
    state: 'open' | 'accepted' | 'rejected' | 'lapsed' | 'withdrawn';
    /** It was made elsewhere, so its tickets are not of a listing here. */
    imported?: true;
  }>;

/** Tickets of a listing that nobody else can buy. `seats` is missing if the listing does not name them. */
export type HeldTickets = Readonly<{ listing_id: string; quantity: number; seats?: readonly string[] }>;

/** Times are those at which the events were recorded: ISO 8601, UTC. */
export type KnownOrder = Payments &
  Readonly<{
    known: true;
    /** The number of events; staff send it as `If-Match`. */
    version: number;
    /** The version to which an import wrote the order; 0 if it came in here. */
    importedThrough: number;
    receivedAt: string;
    updatedAt: string;
    purchase: ReceivedPurchase;
    stage: Stage;
    /** Null while the platform cannot see the purchase: during the payment, and for good after a decline. */
    status: Status | null;
    /** Every status so far, oldest first. Each one has a ping. */
    statuses: readonly Readonly<{ status: Status; at: string }>[];
    deadline: Deadline | null;
    /** `held`: tickets of a listing here that nobody else can buy, and `seats` the names of those that the listing names. `sent`: whether they were delivered. */
    tickets: Readonly<{ held: number; seats?: readonly string[]; sent: boolean }>;
    /** Tickets of a listing that the order no longer has, which were sent and never come back. */
    sentBefore: readonly HeldTickets[];
    replacement: Replacement | null;
    /** What the buyer gets back for cheaper tickets, until that is recorded. `position`: that of the `ReplacementAccepted`. */
    differenceDue: Readonly<{ position: number; cents: number }> | null;
    /** The files that can be handed out, and all that a link has handed out. */
    ticketFiles: Readonly<{ ids: readonly string[]; handedOut: readonly string[] }>;
    /** What it has in the ledger. */
    books: OrderBooks;
    fulfillment: Fulfillment | null;
    delivery: DeliveryState;
    /** The last one that the buyer was asked for. */
    choice: Choice | null;
    next: NextStep;
    /** Whether the last status was a manual review. */
    underReview: boolean;
    personalDataErased: boolean;
    /** A sample order that an administrator removed. No table of orders has it. */
    removed: boolean;
    /** Whether notes, terms or tickets were sealed with the order's key since the last erasure, so that there is something to erase. */
    hasSealedNotes: boolean;
  }>;
/** `importedThrough`: the import has begun and its purchase comes next. */
export type Order = Readonly<{ known: false; importedThrough?: number }> | KnownOrder;

type Recorded<E> = E & Readonly<{ recorded_at: string }>;
type Draft = { -readonly [Key in Exclude<keyof KnownOrder, 'statuses'>]: KnownOrder[Key] } & {
  statuses: KnownOrder['statuses'][number][];
};
type LaterEvent = Recorded<Exclude<OrderEvent, { type: 'OrderImported' | 'PurchaseReceived' }>>;

export function evolve(order: Order, event: Recorded<OrderEvent>): Order {
  return evolveAll(order, [event]);
}

/** Copies the order once for all events: with a copy for each, a thousand statuses would be copied half a million times. */
export function evolveAll<E extends Recorded<OrderEvent>>(
  order: Order,
  events: readonly E[],
  after: (order: KnownOrder, event: E) => void = () => undefined,
): Order {
  if (events.length === 0) return order;
  let { importedThrough = 0 } = order;
  let draft: Draft | undefined = order.known ? { ...order, statuses: [...order.statuses] } : undefined;
  for (const event of events) {
    if (event.type === 'OrderImported') importedThrough = 1 + event.data.events;
    else if (event.type === 'PurchaseReceived') draft = newOrder(event.data, event.recorded_at, importedThrough);
    else if (draft) draft = nextOrder(draft, event);
    else throw new Error(`An order begins with PurchaseReceived: ${event.type} cannot be the first event.`);
    if (draft) after(draft, event);
  }
  return draft ?? { known: false, importedThrough };
}

function nextOrder(draft: Draft, event: LaterEvent): Draft {
  draft.version += 1;
  draft.updatedAt = event.recorded_at;
  applyEvent(draft, event);
  draft.delivery = deliveryAfter(draft, event);
  draft.books = booksAfter(draft, event);
  draft.next = nextStepAfter(draft, event);
  draft.deadline = deadlineAfter(event, draft);
  if (SEALED.some((name) => name in event.data)) draft.hasSealedNotes = true;
  return draft;
}

const SEALED = ['sealed_note', 'sealed_terms', 'sealed_recipient', 'sealed_name'];

/** Statuses and their pings are numbered from 1. */
export function statusCount(order: Order): number {
  return order.known ? order.statuses.length : 0;
}

export const orderFold = {
  initial: { known: false } as Order,
  evolve,
  evolveAll: (order: Order, events: readonly Recorded<OrderEvent>[]) => evolveAll(order, events),
  knows: isOrderEventType,
};

function newOrder(purchase: ReceivedPurchase, at: string, importedThrough: number): Draft {
  const isImported = importedThrough > 0;
  return {
    known: true,
    version: isImported ? 2 : 1,
    importedThrough,
    receivedAt: at,
    updatedAt: at,
    purchase,
    stage: 'awaiting_payment',
    status: null,
    statuses: [],
    deadline: { for: 'payment_outcome', at },
    tickets: isImported ? NO_TICKETS : ticketsOf(purchase.product),
    sentBefore: [],
    replacement: null,
    differenceDue: null,
    ticketFiles: { ids: [], handedOut: [] },
    payment: { is: purchase.payment ? 'asked' : 'none' },
    refunds: [],
    disputes: [],
    booked: [],
    books: NO_BOOKS,
    fulfillment: null,
    delivery: NO_DELIVERY,
    choice: null,
    next: { ...NOTHING_TO_DO, since: null },
    underReview: false,
    personalDataErased: false,
    removed: false,
    hasSealedNotes: false,
  };
}

const NO_TICKETS: KnownOrder['tickets'] = { held: 0, sent: false };

function ticketsOf({ quantity, seats }: Omit<HeldTickets, 'listing_id'>): KnownOrder['tickets'] {
  return { held: quantity, ...(seats && { seats }), sent: false };
}

/** Changes the given copy. Without `default`, a missing event type does not compile. */
function applyEvent(order: Draft, event: LaterEvent): Draft {
  switch (event.type) {
    case 'FraudScreened':
      // `hold_for_review` of the purchase has the verdict.
      return order;
    case 'PaymentDeclined':
      return paymentNotTaken(order, { is: 'not_taken', how: 'declined', ...event.data });
    case 'PaymentFailed':
      return paymentNotTaken(order, { is: 'not_taken', how: 'failed', ...event.data });
    case 'PaymentPrepared':
    case 'PaymentAuthorised':
    case 'PaymentCaptured':
    case 'CaptureFailed':
    case 'PaymentReleased':
    case 'PaymentPartlyReleased':
    case 'PaymentNotConfirmed':
    case 'RefundRequested':
    case 'RefundApproved':
    case 'RefundDeclined':
    case 'RefundSent':
    case 'RefundSucceeded':
    case 'RefundFailed':
    case 'DisputeOpened':
    case 'DisputeEvidenceSent':
    case 'DisputeClosed':
    case 'ProviderFeeCharged':
    case 'RemittanceMatched':
      return paymentChanged(order, event);
    case 'TicketsShipped':
    case 'TicketsDelivered':
      order.fulfillment = event.data.fulfillment ?? order.fulfillment;
      return ticketsSent(withStatus(order, event));
    case 'ReplacementProposed':
      return replacementOffered(order, event.data);
    case 'ReplacementLapsed':
      return replacementEnded(order, 'lapsed');
    case 'ReplacementAccepted':
      return withStatus(order.replacement?.state === 'open' ? replaced(order, order.replacement) : order, event);
    case 'OrderPending':
    case 'OrderHeldForReview':
    case 'OrderConfirmed':
    case 'ReplacementOffered':
    case 'ReplacementRejected':
    case 'OrderRejected':
    case 'OrderExceptionRaised':
      return withStatus(order, event);
    case 'TransferSent':
    case 'TransferDeclined':
    case 'TransferExpired':
      order.fulfillment = null;
      return order;
    case 'BarcodesGiven':
    case 'BarcodeReplaced':
      // A table has them, sealed with the order's key.
      order.hasSealedNotes = true;
      return order;
    case 'TransferAccepted':
    case 'TransferProofAdded':
    case 'BarcodeRefused':
    case 'LabelPrinted':
    case 'ParcelPickedUp':
      return order;
    case 'ChoiceAsked':
      order.choice = { ...event.data, answer: null };
      return order;
    case 'ChoiceMade':
      if (order.choice?.job === event.data.job) order.choice = { ...order.choice, answer: event.data.answer };
      return order;
    case 'FulfillmentCorrected':
      order.fulfillment = event.data.fulfillment;
      return order;
    case 'TicketsAttached':
      order.hasSealedNotes = true;
      return withTicketFiles(order, [...order.ticketFiles.ids, ...event.data.files.map(({ id }) => id)]);
    case 'TicketDownloaded':
      // Earlier versions recorded each look of staff.
      if (event.data.link === null) return order;
      order.ticketFiles = {
        ...order.ticketFiles,
        handedOut: [...order.ticketFiles.handedOut, event.data.ticket_id],
      };
      return ticketsSent(order);
    case 'TicketRemoved':
      return withTicketFiles(
        order,
        order.ticketFiles.ids.filter((id) => id !== event.data.ticket_id),
      );
    case 'BuyerCorrected':
      order.purchase = { ...order.purchase, personal: event.data.personal };
      return order;
    case 'PersonalDataErased':
      // Its files go, but the tickets were sent.
      if (isHandedOver(order)) order.delivery = { ...order.delivery, declared: true };
      order.personalDataErased = true;
      order.hasSealedNotes = false;
      return withTicketFiles(order, []);
    case 'SampleRemoved':
      order.removed = true;
      order.tickets = NO_TICKETS;
      order.sentBefore = [];
      return replacementEnded(order, 'withdrawn');
  }
}

/** Whether an import wrote the last event. */
function isPast({ version, importedThrough }: Draft): boolean {
  return version <= importedThrough;
}

function paymentNotTaken(order: Draft, payment: Extract<PaymentState, { is: 'not_taken' }>): Draft {
  order.payment = payment;
  if (order.stage !== 'placed') order.stage = payment.how;
  order.tickets = { ...NO_TICKETS, sent: order.tickets.sent };
  return order;
}

function paymentChanged(
  order: Draft,
  event: Recorded<Exclude<PaymentEvent, { type: 'PaymentDeclined' | 'PaymentFailed' }>>,
): Draft {
  const isRejected = order.status?.status === 'rejected';
  applyPaymentEvent(order, event, { position: order.version, isPast: isPast(order), isRejected });
  const isReturned =
    event.type === 'PaymentPartlyReleased' ||
    event.type === 'PaymentCaptured' ||
    event.type === 'PaymentNotConfirmed' ||
    (event.type === 'RefundRequested' && event.data.origin === 'order');
  if (isReturned) order.differenceDue = null;
  return order;
}

function withStatus(order: Draft, { type, data: { status }, recorded_at: at }: Recorded<StatusEvent>): Draft {
  order.stage = 'placed';
  order.underReview = type === 'OrderHeldForReview';
  order.status = status;
  order.statuses.push({ status, at });
  // Other problems of the order leave the offer open.
  if (status.status !== 'exception') replacementEnded(order, status.status === 'rejected' ? 'rejected' : 'withdrawn');
  if (status.status === 'rejected') {
    if (!order.tickets.sent) withTicketFiles(order, []);
    order.tickets = neverSoldAgain(order);
  }
  return order;
}

/** The tickets that the buyer has, or may still accept. */
function neverSoldAgain(order: Draft): KnownOrder['tickets'] {
  const { held, sent, seats } = order.tickets;
  const kept = keptSeats(order);
  if (kept.length >= held) return order.tickets;
  return kept.length === 0 ? NO_TICKETS : { held: kept.length, sent, ...(seats && { seats: kept }) };
}

function withTicketFiles(order: Draft, ids: readonly string[]): Draft {
  order.ticketFiles = { ...order.ticketFiles, ids };
  return order;
}

function replacementOffered(order: Draft, offer: Noted & ProposedTickets): Draft {
  const { note: _, sealed_note: __, ...tickets } = offer;
  order.replacement = { ...tickets, state: 'open', ...(isPast(order) && { imported: true }) };
  return order;
}

function replacementEnded(order: Draft, state: Exclude<Replacement['state'], 'open'>): Draft {
  if (order.replacement?.state === 'open') order.replacement = { ...order.replacement, state };
  return order;
}

function replaced(order: Draft, offer: Replacement): Draft {
  const { listing_version, seller, imported, parts, delivery_form, difference_cents = 0 } = offer;
  // The buyer never pays more than was asked for at the purchase.
  const cheaper = Math.max(0, -difference_cents);
  const { product, seller: sellerBefore, delivery_form: _, ...purchase } = order.purchase;
  // Earlier versions did not say that the new tickets are nobody's but ours.
  const owner = parts === undefined ? (seller ?? sellerBefore) : seller;
  const { held: kept, seats } = neverSoldAgain(order);
  if (kept > 0) {
    const earlier = { listing_id: product.listing_id, quantity: kept, ...(seats && { seats }) };
    order.sentBefore = [...order.sentBefore, earlier];
  }
  order.purchase = {
    ...purchase,
    product: soldFrom(offer),
    listing_version,
    total_cents: purchase.total_cents - cheaper,
    ...(owner !== undefined && { seller: owner }),
    ...(delivery_form && { delivery_form }),
    ...(parts !== undefined && { parts }),
  };
  order.refunds = borneBy(order.refunds, sellerAccount(owner));
  if (cheaper > 0) order.differenceDue = { position: order.version, cents: cheaper };
  order.tickets = imported ? NO_TICKETS : ticketsOf(offer);
  order.fulfillment = null;
  order.delivery = deliveryAnew(order.delivery);
  withTicketFiles(order, []);
  order.replacement = { ...offer, state: 'accepted' };
  return order;
}

function soldFrom(offer: Replacement): ReceivedPurchase['product'] {
  const { event_id, listing_id, quantity, seats, external_id, speculative } = offer;
  return {
    event_id,
    listing_id,
    quantity,
    ...(seats && { seats }),
    ...(external_id !== undefined && { external_id }),
    ...(speculative && { speculative }),
  };
}

function ticketsSent(order: Draft): Draft {
  order.tickets = { ...order.tickets, sent: true };
  return order;
}
