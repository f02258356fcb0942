import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderFee, RefundOutcome } from './provider-answers.js';

/** The bytes as they came: the signature is over these. */
export type ReceivedWebhook = Readonly<{ body: Buffer; headers: IncomingHttpHeaders }>;

/** The signature is missing or wrong, or its stamp is too old. */
export class WebhookRefused extends Error {}

/** `payment`: the provider's id of the payment. `orderId`: ours, where the provider keeps it. */
type OfPayment = Readonly<{ payment: string; orderId: string | null }>;

/** `refundId`: ours; null for a refund that was made at the provider itself. */
export type RefundFact = OfPayment &
  Readonly<{
    is: 'refund';
    reference: string;
    refundId: string | null;
    amountCents: number;
    currency: string;
    outcome: Exclude<RefundOutcome, { is: 'waiting' }>['is'];
    /** Why it failed. */
    reason: string | null;
  }>;

/** `inquiry`: the bank only asks, and no money has moved. `withdrawn`: neither won nor lost. */
export type DisputeFact = OfPayment &
  Readonly<{
    is: 'dispute';
    reference: string;
    inquiry: boolean;
    state: 'open' | 'sent' | 'won' | 'lost' | 'withdrawn';
    reason: string;
    amountCents: number;
    currency: string;
    /** ISO 8601. Null if the provider names none. */
    dueAt: string | null;
    fees: readonly ProviderFee[];
  }>;

/** The state is asked for by `find`: an event may be late. */
export type PaymentFact = OfPayment & Readonly<{ is: 'payment' }>;

export type PayoutFact = Readonly<{
  is: 'payout';
  reference: string;
  amountCents: number;
  currency: string;
  state: 'paid' | 'failed' | 'pending';
  /** ISO 8601. */
  at: string;
}>;

/** What an event means in our words. `nothing`: it is not about money of an order. */
export type ProviderFact = PaymentFact | RefundFact | DisputeFact | PayoutFact | Readonly<{ is: 'nothing' }>;

/** `type` is the provider's word. `id` is the provider's, or SHA-256 of the payload (hex) where it has none. */
export type ProviderEvent = Readonly<{ id: string; type: string; createdAt: string; fact: ProviderFact }>;

export type EvidenceFile = Readonly<{ name: string; type: string; content: Buffer }>;

/** What a card network compares of two purchases. `product` says what was bought. */
export type ComparedPurchase = Readonly<{
  email: string | null;
  ip: string | null;
  address: Readonly<{
    address1: string | null;
    address2: string | null;
    city: string | null;
    state: string | null;
    zip: string | null;
    country: string | null;
  }> | null;
  product: string;
}>;

/**
 * Earlier purchases with the same card that nobody disputed (Visa's compelling evidence 3.0): two or more, 120 to 365 days old, that share the IP
 * address and one thing more with the disputed one. `payment`: the provider's id.
 */
export type CompellingEvidence = Readonly<{
  disputed: ComparedPurchase;
  earlier: readonly (ComparedPurchase & Readonly<{ payment: string }>)[];
}>;

/** What staff send against a dispute. `text` tells the order's life in order of time. */
export type DisputeEvidence = Readonly<{
  text: string;
  buyerName: string | null;
  buyerEmail: string | null;
  /** ISO 8601, the day on which the tickets were delivered. */
  deliveredOn: string | null;
  tracking: Readonly<{ carrier: string; number: string }> | null;
  files: readonly EvidenceFile[];
  /** Null if there are no such purchases. */
  compelling: CompellingEvidence | null;
}>;
