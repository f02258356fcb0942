import type Stripe from 'stripe';

/** What the double keeps. Amounts in minor units, times in seconds since the epoch, as Stripe has them. */

export type Metadata = Record<string, string>;

export type IntentRecord = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly description: string | null;
  readonly customer: string | null;
  readonly metadata: Metadata;
  status: 'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled';
  received: number;
  method: string | null;
  canceledAt: number | null;
  error: Readonly<{ code: string; decline_code: string }> | null;
  charge: ChargeRecord | null;
};

export type MethodRecord = Readonly<{
  id: string;
  number: string;
  month: number;
  year: number;
  name: string | null;
  /** To whom it belongs: only payments of that customer may use it. */
  customer: string | null;
}>;

export type ChargeRecord = {
  readonly id: string;
  readonly intent: IntentRecord;
  readonly method: MethodRecord;
  readonly created: number;
  readonly captureBefore: number;
  captured: boolean;
  refunded: number;
  disputed: boolean;
  line: LineRecord | null;
};

export type RefundRecord = {
  readonly id: string;
  readonly intent: IntentRecord;
  readonly amount: number;
  readonly created: number;
  readonly metadata: Metadata;
  status: 'pending' | 'succeeded' | 'failed';
  failure: string | null;
  line: LineRecord | null;
};

export type DisputeRecord = {
  readonly id: string;
  readonly intent: IntentRecord;
  readonly created: number;
  readonly dueBy: number;
  readonly lines: LineRecord[];
  readonly types: readonly Stripe.Dispute.EnhancedEligibilityType[];
  status:
    'warning_needs_response' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'warning_closed' | 'prevented';
  evidence: Record<string, string>;
  submissions: number;
};

export type PayoutRecord = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  status: 'pending' | 'paid' | 'failed';
  line: LineRecord | null;
};

export type FileRecord = Readonly<{ id: string; name: string; type: string; size: number; created: number }>;

export type Source =
  | Readonly<{ object: 'charge'; record: ChargeRecord }>
  | Readonly<{ object: 'refund'; record: RefundRecord }>
  | Readonly<{ object: 'dispute'; record: DisputeRecord }>
  | Readonly<{ object: 'payout'; record: PayoutRecord }>;

export type LineRecord = Readonly<{
  id: string;
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout' | 'payout_failure' | 'stripe_fee';
  amount: number;
  fee: number;
  currency: string;
  created: number;
  source: Source | null;
}>;

/** `object` is how it looked then. */
export type EventRecord = Readonly<{ id: string; type: string; created: number; object: object }>;
