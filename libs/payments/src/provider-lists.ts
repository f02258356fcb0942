/** One movement of money in the provider's own list. */
export type BalanceLine = Readonly<{
  /** The provider's id of the line. */
  id: string;
  kind:
    | 'charge'
    | 'refund'
    | 'refund_failed'
    | 'dispute'
    | 'dispute_reversed'
    | 'fee'
    | 'payout'
    | 'payout_failed'
    | 'other';
  /** The provider's id of the payment, the refund, the dispute or the payout that moved it. */
  reference: string | null;
  /** The provider's id of the payment that it belongs to. */
  payment: string | null;
  orderId: string | null;
  refundId: string | null;
  /** What it adds to what the provider owes us, before fees. Negative for money that leaves. */
  amountCents: number;
  /** What the provider keeps of it. */
  feeCents: number;
  currency: string;
  /** ISO 8601. */
  createdAt: string;
}>;

export type ProviderPayout = Readonly<{
  reference: string;
  amountCents: number;
  currency: string;
  state: 'paid' | 'failed' | 'pending';
  /** ISO 8601: when it was made, and when it is in the bank. */
  createdAt: string;
  arrivesAt: string;
}>;
