/** Money as Braintree writes it: "12.34". */
export type MonetaryAmount = Readonly<{ value: string | number; currencyCode: string }>;

export type PaymentStatus =
  | 'AUTHORIZING'
  | 'AUTHORIZED'
  | 'AUTHORIZATION_EXPIRED'
  | 'PROCESSOR_DECLINED'
  | 'GATEWAY_REJECTED'
  | 'FAILED'
  | 'SUBMITTED_FOR_SETTLEMENT'
  | 'SETTLEMENT_PENDING'
  | 'SETTLEMENT_CONFIRMED'
  | 'SETTLING'
  | 'SETTLED'
  | 'SETTLEMENT_DECLINED'
  | 'VOIDED';

/** An entry of a status history, which is newest first. */
export type StatusEvent = Readonly<{
  status: PaymentStatus;
  /** ISO 8601, to the microsecond. */
  timestamp: string;
  authorizationExpiresAt?: string | null;
  gatewayRejectionReason?: string | null;
  processorResponse?: Readonly<{
    legacyCode: string | null;
    avsPostalCodeResponse: string | null;
    avsStreetAddressResponse: string | null;
  }> | null;
}>;

type Payment = Readonly<{
  id: string;
  orderId: string | null;
  status: PaymentStatus;
  createdAt: string;
  amount: MonetaryAmount;
  statusHistory: readonly StatusEvent[] | null;
}>;

export type Transaction = Payment;
export type Refund = Payment &
  Readonly<{ refundedTransaction: Readonly<{ id: string; orderId: string | null }> | null }>;
export type TransactionWithRefunds = Transaction & Readonly<{ refunds: readonly Refund[] | null }>;

export const centsOf = ({ value }: MonetaryAmount): number => Math.round(Number(value) * 100);

export const amountOf = (cents: number): string => (cents / 100).toFixed(2);

/** ISO 8601 to the millisecond, as everywhere in Willcall. */
export const isoOf = (timestamp: string): string => new Date(timestamp).toISOString();

const TAKEN: readonly PaymentStatus[] = [
  'SUBMITTED_FOR_SETTLEMENT',
  'SETTLEMENT_PENDING',
  'SETTLEMENT_CONFIRMED',
  'SETTLING',
  'SETTLED',
];

/** Whether a capture took the money and it is not given back by a void. */
export const isTaken = ({ status }: Transaction): boolean => TAKEN.includes(status);

/** The newest event of a status. */
export const eventOf = ({ statusHistory }: Payment, status: PaymentStatus): StatusEvent | undefined =>
  statusHistory?.find((event) => event.status === status);

/** When it got this status. */
export const timeOf = (payment: Payment, status: PaymentStatus): string | undefined =>
  eventOf(payment, status)?.timestamp;

/** When the hold ends by itself, ISO 8601. Null if Braintree does not say. */
export function captureBefore(transaction: Transaction): string | null {
  const expiry = eventOf(transaction, 'AUTHORIZED')?.authorizationExpiresAt;
  return expiry ? isoOf(expiry) : null;
}

/** A void after the capture gives everything back, as a refund does. Before it, it only releases. */
export const isVoidedAfterCapture = (transaction: Transaction): boolean =>
  transaction.status === 'VOIDED' && timeOf(transaction, 'SUBMITTED_FOR_SETTLEMENT') !== undefined;
