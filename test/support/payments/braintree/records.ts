import { GraphQLError } from 'graphql';

/** What the double keeps, in the shape in which GraphQL shows it. `cents` beside it for the book. */
type Event = Readonly<{ __typename: string; status: string; timestamp: string; [field: string]: unknown }>;

export type PaymentRecord = {
  readonly id: string;
  readonly legacyId: string;
  readonly orderId: string | null;
  readonly createdAt: string;
  readonly currency: string;
  cents: number;
  status: string;
  /** Newest first. */
  readonly statusHistory: Event[];
};

export type TransactionRecord = PaymentRecord & {
  readonly __typename: 'Transaction';
  readonly authorisedCents: number;
  readonly refunds: RefundRecord[];
  readonly amount: object;
};

export type RefundRecord = PaymentRecord & {
  readonly __typename: 'Refund';
  readonly refundedTransaction: TransactionRecord;
  readonly amount: object;
};

export type EvidenceRecord = Readonly<{
  __typename: 'DisputeTextEvidence' | 'DisputeFileEvidence';
  id: string;
  category: string;
  content?: string;
  url?: string;
}>;

export type DisputeRecord = {
  readonly __typename: 'Dispute';
  readonly id: string;
  readonly legacyId: string;
  readonly type: 'CHARGEBACK' | 'RETRIEVAL';
  readonly createdAt: string;
  readonly replyByDate: string;
  readonly transaction: TransactionRecord;
  readonly evidence: EvidenceRecord[];
  readonly statusHistory: { status: string; timestamp: string; effectiveDate: string }[];
  readonly amountDisputed: object;
  readonly processorResponse: object;
  status: string;
};

/** A card, or a method that every account of the sandbox has. */
export type MethodRecord = {
  readonly id: string;
  readonly cvv: string;
  readonly postalCode: string;
  readonly street: string;
  isUsed: boolean;
};

const EVENT_TYPES: Readonly<Record<string, string>> = {
  AUTHORIZED: 'AuthorizedEvent',
  AUTHORIZATION_EXPIRED: 'AuthorizationExpiredEvent',
  PROCESSOR_DECLINED: 'ProcessorDeclinedEvent',
  GATEWAY_REJECTED: 'GatewayRejectedEvent',
  FAILED: 'FailedEvent',
  SUBMITTED_FOR_SETTLEMENT: 'SubmittedForSettlementEvent',
  SETTLING: 'SettlingEvent',
  SETTLED: 'SettledEvent',
  VOIDED: 'VoidedEvent',
};

/** The payment gets a status, and its history an event. */
export function enter(record: PaymentRecord, status: string, timestamp: string, details: object = {}): void {
  record.status = status;
  record.statusHistory.unshift({ __typename: EVENT_TYPES[status] ?? 'FailedEvent', status, timestamp, ...details });
}

export const shownAmount = (cents: number, currencyCode: string) => ({ value: (cents / 100).toFixed(2), currencyCode });

/** Braintree's ids hide the older id and the kind. */
export const globalId = (kind: string, legacyId: string): string =>
  Buffer.from(`${kind.toLowerCase()}_${legacyId}`).toString('base64url');

/** An error as Braintree reports it. */
export function refusal(errorClass: string, legacyCode?: string, ...inputPath: string[]): GraphQLError {
  return new GraphQLError('A text of Braintree.', {
    extensions: { errorClass, ...(legacyCode && { legacyCode }), inputPath: ['input', ...inputPath] },
  });
}
