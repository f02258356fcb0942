import type { Status, StatusValue } from '../status.js';

/** The stored part of a payment. It never has the card number or the CVV (contract, section 4 "Card data"). */
export type PaymentSummary = Readonly<{
  type: 'creditcard' | 'providera_token' | 'providerb_token';
  brand: string | null;
  last_four: string | null;
  expiry_month: number | null;
  expiry_year: number | null;
}>;

export type Fulfillment =
  | Readonly<{ type: 'ship'; data: Readonly<{ carrier: string; tracking_number: string }> }>
  | Readonly<{ type: 'download'; data: Readonly<{ url: string }> }>;

/** A valid purchase: listing, quantity and total agree. Amounts are US cents. */
export type ReceivedPurchase = Readonly<{
  client_id: string;
  variant: 'payment' | 'wholesale';
  product: Readonly<{ event_id: string; listing_id: string; quantity: number }>;
  /** The version of the listing that set the price. The stock comes from that version only. */
  listing_version: number;
  total_cents: number;
  delivery_method: string;
  ref_id: string | null;
  /** A second purchase with this key is a duplicate. Null when the purchase has no such key. */
  duplicate_key: string | null;
  trusted: boolean;
  hold_for_review: boolean;
  confirmation: 'automatic' | 'manual';
  confirm_within_minutes: number | null;
  payment: PaymentSummary | null;
  market_specific_fields: Readonly<Record<string, unknown>> | null;
  /** The buyer's personal data, encrypted with the order's own key, base64. Null without personal data. */
  personal: string | null;
}>;

type StatusChanged = Readonly<{ status: Status; note?: string }>;

/** Events whose data has a `status`. Each one adds one entry to `status_history` and one ping. */
export type StatusEvent =
  | { type: 'OrderPending'; data: StatusChanged }
  | { type: 'OrderHeldForReview'; data: StatusChanged }
  | { type: 'OrderConfirmed'; data: StatusChanged }
  | { type: 'TicketsShipped'; data: StatusChanged & { readonly fulfillment?: Fulfillment } }
  | { type: 'TicketsDelivered'; data: StatusChanged & { readonly fulfillment?: Fulfillment } }
  | { type: 'ReplacementOffered'; data: StatusChanged }
  | { type: 'ReplacementAccepted'; data: StatusChanged }
  | { type: 'ReplacementRejected'; data: StatusChanged }
  | { type: 'OrderRejected'; data: StatusChanged }
  | { type: 'OrderExceptionRaised'; data: StatusChanged };

export type StatusEventType = StatusEvent['type'];

/** All events of an order. A released type never changes its meaning: a new shape needs a new type. */
export type OrderEvent =
  | { type: 'PurchaseReceived'; data: ReceivedPurchase }
  | { type: 'PaymentAuthorised'; data: Readonly<{ provider: string; reference: string; amount_cents: number }> }
  | { type: 'PaymentDeclined'; data: Readonly<{ provider: string; reason: string }> }
  | { type: 'PaymentFailed'; data: Readonly<{ provider: string; reason: string }> }
  | { type: 'PaymentReleased'; data: Readonly<{ provider: string; reference: string; how: 'voided' | 'refunded' }> }
  | StatusEvent
  | { type: 'FulfillmentCorrected'; data: Readonly<{ fulfillment: Fulfillment; note?: string }> }
  | { type: 'PersonalDataErased'; data: Readonly<Record<string, never>> };

/**
 * The status that each event sets; null for an event without a status. The first event of a status in this table is its plain one:
 * it records every code that has no event of its own.
 */
const STATUS_OF_EVENT: { readonly [T in OrderEvent['type']]: T extends StatusEventType ? StatusValue : null } = {
  PurchaseReceived: null,
  PaymentAuthorised: null,
  PaymentDeclined: null,
  PaymentFailed: null,
  PaymentReleased: null,
  OrderPending: 'pending',
  OrderHeldForReview: 'pending',
  OrderConfirmed: 'confirmed',
  TicketsShipped: 'confirmed',
  TicketsDelivered: 'confirmed',
  ReplacementAccepted: 'confirmed',
  OrderRejected: 'rejected',
  ReplacementRejected: 'rejected',
  OrderExceptionRaised: 'exception',
  ReplacementOffered: 'exception',
  FulfillmentCorrected: null,
  PersonalDataErased: null,
};

export const ORDER_EVENT_TYPES = Object.keys(STATUS_OF_EVENT) as readonly OrderEvent['type'][];

export function isOrderEventType(type: string): type is OrderEvent['type'] {
  return Object.hasOwn(STATUS_OF_EVENT, type);
}

/** Returns whether the event adds one entry to `status_history` and one ping. */
export function isStatusEvent<E extends Readonly<{ type: string }>>(event: E): event is E & StatusEvent {
  return isOrderEventType(event.type) && STATUS_OF_EVENT[event.type] !== null;
}

/** Returns the events that may set this status, its plain one first. */
export function eventsOfStatus(status: StatusValue): readonly StatusEventType[] {
  return ORDER_EVENT_TYPES.filter((type): type is StatusEventType => STATUS_OF_EVENT[type] === status);
}
