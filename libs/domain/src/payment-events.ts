import type { Noted } from './noted.js';

/** Of a payment. `reference` is the provider's id of it. */
type OfPayment = Readonly<{ provider: string; reference: string }>;
/** `amount_cents` are hundredths of `currency` (ISO 4217). */
type Money = Readonly<{ amount_cents: number; currency: string }>;

/** What the buyer paid for, in cents. Together they are the total of the purchase. */
export type PurchaseParts = Readonly<{
  /** All tickets. The rest, too, is for the whole purchase. */
  price_cents: number;
  fees_cents: number;
  delivery_cents: number;
  tax_cents: number;
}>;

export const REFUND_REASONS = [
  'customer_request',
  'event_cancelled',
  'event_postponed',
  'not_delivered',
  'wrong_tickets',
  'price_error',
  'goodwill',
  'duplicate',
  'fraud',
  'other',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** `order`: by a rejection, or by cheaper tickets. `provider`: made at the provider itself. */
export const REFUND_ORIGINS = ['desk', 'order', 'provider'] as const;
export type RefundOrigin = (typeof REFUND_ORIGINS)[number];

/** What an account of the ledger bears of a refund. */
export type RefundLine = Readonly<{ account: string; amount_cents: number }>;

export type RequestedRefund = Money &
  Readonly<{
    refund_id: string;
    /** How many tickets. Null for an amount. */
    quantity: number | null;
    reason: RefundReason;
    origin: RefundOrigin;
    /** Who asked, as in the metadata of events. */
    requested_by: string;
    needs_approval: boolean;
    /** Who bears it. They add up to the amount. */
    lines: readonly RefundLine[];
    /** The provider's id of a refund that was made there. Missing for others. */
    reference?: string;
  }>;

type OfRefund = Readonly<{ refund_id: string }>;
/** `reference` is the provider's id of the refund. */
type SentRefund = OfRefund & Readonly<{ reference: string }>;

export const DISPUTE_KINDS = ['card', 'denied_entry', 'cancelled_sale'] as const;
export type DisputeKind = (typeof DISPUTE_KINDS)[number];

/** `reference` is the provider's id; null without a card network. `inquiry`: the bank only asks. `due_at`: ISO 8601. */
export type OpenedDispute = Money &
  Readonly<{
    dispute_id: string;
    reference: string | null;
    kind: DisputeKind;
    inquiry: boolean;
    reason: string;
    due_at: string | null;
  }>;

/** How a dispute ends. `withdrawn`: neither won nor lost. */
export const DISPUTE_ENDS = ['won', 'lost', 'withdrawn'] as const;
export type DisputeEnd = (typeof DISPUTE_ENDS)[number];

type PartlyReleased = OfPayment &
  Readonly<{
    how: 'voided' | 'refunded';
    amount_cents: number;
    /** The provider's id of the part, or that of the payment. */
    part_reference: string;
  }>;

/** Events of an order that change no status. Each cent that moves has one. */
export type PaymentEvent =
  /** `key`: that under which the provider authorises once. Null for providers that need none. */
  | { type: 'PaymentPrepared'; data: OfPayment & Money & Readonly<{ key: string | null }> }
  /** `capture_before`: when the hold ends by itself, ISO 8601. Missing if nobody knows, and in events of versions before captures. */
  | {
      type: 'PaymentAuthorised';
      data: OfPayment & Readonly<{ amount_cents: number; currency?: string; capture_before?: string }>;
    }
  | { type: 'PaymentDeclined'; data: Readonly<{ provider: string; reason: string }> }
  | { type: 'PaymentFailed'; data: Readonly<{ provider: string; reason: string }> }
  | { type: 'PaymentCaptured'; data: OfPayment & Money }
  /** `gone`: nothing is held any more. */
  | { type: 'CaptureFailed'; data: OfPayment & Readonly<{ reason: string; gone: boolean }> }
  | { type: 'PaymentReleased'; data: OfPayment & Readonly<{ how: 'voided' | 'refunded' }> }
  | { type: 'PaymentPartlyReleased'; data: PartlyReleased }
  | { type: 'PaymentNotConfirmed'; data: OfPayment }
  | { type: 'RefundRequested'; data: RequestedRefund & Noted }
  | { type: 'RefundApproved'; data: OfRefund & Readonly<{ approved_by: string }> & Noted }
  | { type: 'RefundDeclined'; data: OfRefund & Readonly<{ declined_by: string }> & Noted }
  | { type: 'RefundSent'; data: SentRefund }
  | { type: 'RefundSucceeded'; data: SentRefund }
  /** `reference` is null if the provider never made it. */
  | { type: 'RefundFailed'; data: OfRefund & Readonly<{ reference: string | null; reason: string }> }
  | { type: 'DisputeOpened'; data: OpenedDispute & Noted }
  | { type: 'DisputeEvidenceSent'; data: Readonly<{ dispute_id: string }> & Noted }
  | { type: 'DisputeClosed'; data: Readonly<{ dispute_id: string; state: DisputeEnd }> & Noted }
  /** `reference` is that of the fee in the provider's list. Less than 0: given back. */
  | { type: 'ProviderFeeCharged'; data: OfPayment & Money & Readonly<{ for: 'charge' | 'refund' | 'dispute' }> }
  /** `reference` is that of the line in the partner's remittance. `paid_on`: YYYY-MM-DD. Less than 0: paid back. */
  | {
      type: 'RemittanceMatched';
      data: Money & Readonly<{ client_id: string; reference: string; paid_on: string }>;
    };

export type PaymentEventType = PaymentEvent['type'];

export function isPaymentEventType(type: string): type is PaymentEventType {
  return Object.hasOwn(PAYMENT_EVENTS, type);
}

/** In the usual order of a payment's life. */
export const PAYMENT_EVENTS: Readonly<Record<PaymentEventType, Readonly<{ status: null; meaning: string }>>> = {
  PaymentPrepared: {
    status: null,
    meaning:
      'The payment provider knows of the payment, and no money has moved. `reference` is the provider’s id: with it the outcome can be asked ' +
      'for, whatever happens next.',
  },
  PaymentAuthorised: {
    status: null,
    meaning:
      'The payment provider holds the amount until `capture_before`. `reference` is its id of the payment. In events of versions before ' +
      'captures, which have no `currency`, the amount counts as taken.',
  },
  PaymentDeclined: {
    status: null,
    meaning:
      'The provider refused the payment. The stock is released and the `ref_id` can be used again, ' +
      'unless the platform already knows the order.',
  },
  PaymentFailed: {
    status: null,
    meaning: 'No money moved, because the provider failed, does not know the payment, or was not asked for it.',
  },
  PaymentCaptured: {
    status: null,
    meaning: 'The provider took the amount that it held, or a part of it. What was held beyond that is free again.',
  },
  CaptureFailed: {
    status: null,
    meaning: 'The provider did not take the amount, and will not. `gone`: it holds nothing any more.',
  },
  PaymentReleased: {
    status: null,
    meaning:
      'The order was rejected before its payment was taken, and the provider holds nothing any more. Earlier versions recorded it with ' +
      '`how: refunded` too.',
  },
  PaymentPartlyReleased: {
    status: null,
    meaning:
      'The buyer took cheaper tickets before the payment was taken: so much less will be taken. Earlier versions recorded it with ' +
      '`how: refunded` too.',
  },
  PaymentNotConfirmed: {
    status: null,
    meaning:
      'Money of an imported payment was to be given back, but the provider does not know the payment by this reference and amount. Nothing ' +
      'was given back: a person has to settle it.',
  },
  RefundRequested: {
    status: null,
    meaning:
      'Money is to go back to the buyer. `lines` say who bears it. `origin` says who asked: the desk, the order itself because it was ' +
      'rejected or got cheaper tickets, or the provider, where somebody made the refund.',
  },
  RefundApproved: { status: null, meaning: 'Another person approved the refund.' },
  RefundDeclined: { status: null, meaning: 'The refund will not be made.' },
  RefundSent: { status: null, meaning: 'The provider has the refund, and has not made it yet.' },
  RefundSucceeded: { status: null, meaning: 'The provider gave the money back.' },
  RefundFailed: {
    status: null,
    meaning: 'The provider did not give the money back. That can come days after it said that it did.',
  },
  DisputeOpened: {
    status: null,
    meaning:
      'The buyer disputes the payment. A dispute of a card takes its amount back at once; an inquiry and the other kinds move no money. It ' +
      'comes again when an inquiry becomes a dispute.',
  },
  DisputeEvidenceSent: {
    status: null,
    meaning: 'The evidence was sent to the provider, and cannot be changed any more.',
  },
  DisputeClosed: { status: null, meaning: 'The dispute is over.' },
  ProviderFeeCharged: {
    status: null,
    meaning: 'The provider keeps a fee, or gives one back if the amount is below 0.',
  },
  RemittanceMatched: {
    status: null,
    meaning: 'The wholesale partner paid for the order, by a line of its remittance. An amount below 0 was paid back.',
  },
};
