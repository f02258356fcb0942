import type {
  DisputeEnd,
  OpenedDispute,
  PaymentEvent,
  RefundLine,
  RefundOrigin,
  RefundReason,
} from './payment-events.js';

type Recorded<E> = E & Readonly<{ recorded_at: string }>;

/** Money that the provider holds (`authorised`), has taken (`captured`), or neither any more (`released`). Amounts are cents. */
type ProvidedPayment = Readonly<{
  is: 'authorised' | 'captured' | 'released';
  provider: string;
  reference: string;
  amount_cents: number;
  currency: string;
  /** When the hold ends by itself, ISO 8601. */
  capture_before: string | null;
  captured_cents: number;
  /** It will not be taken: the provider refused for good. */
  capture_failed?: true;
  /** How versions before captures gave all of it back. */
  released_how?: 'voided' | 'refunded';
  /** The parts for cheaper tickets that were given back without a refund of their own. Missing for none. */
  returned_cents?: number;
  /** Of these, what a version before captures refunded. Missing for none. */
  refunded_parts_cents?: number;
  /** What an import says of it, which only the provider can confirm. Missing if it was authorised here. */
  claim?: 'unchecked' | 'not_confirmed';
}>;

/** `none` in the wholesale variant; `asked` until the provider's answer is recorded. */
export type PaymentState =
  | Readonly<{ is: 'none' }>
  | Readonly<{ is: 'asked'; prepared?: Readonly<{ provider: string; reference: string; key: string | null }> }>
  | Readonly<{ is: 'not_taken'; how: 'declined' | 'failed'; provider: string; reason: string }>
  | ProvidedPayment;

export type Refund = Readonly<{
  id: string;
  /** Counts the refunds of an order from 1. */
  n: number;
  state: 'waiting_for_approval' | 'declined' | 'pending' | 'succeeded' | 'failed';
  reference: string | null;
  amount_cents: number;
  currency: string;
  quantity: number | null;
  reason: RefundReason;
  origin: RefundOrigin;
  /** The money goes back because the order was rejected. */
  of_rejection: boolean;
  lines: readonly RefundLine[];
  requested_by: string;
  approved_by: string | null;
  /** The position of its `RefundRequested`, by which its note is found. */
  position: number;
  /** ISO 8601. */
  created_at: string;
  settled_at: string | null;
  /** Also of one that failed later. */
  succeeded_at: string | null;
  failure: string | null;
}>;

export type Dispute = OpenedDispute &
  Readonly<{
    state: 'open' | 'sent' | DisputeEnd;
    position: number;
    /** ISO 8601. */
    opened_at: string;
    sent_at: string | null;
    closed_at: string | null;
  }>;

export type Payments = Readonly<{
  payment: PaymentState;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
  /** The references of fees and remittances that are recorded, so that none is recorded twice. */
  booked: readonly string[];
}>;

type Draft = { -readonly [Key in keyof Payments]: Payments[Key] };

/** Changes the given copy. Declines and failures are the order's, because its stage follows them. */
export function applyPaymentEvent(
  order: Draft,
  event: Recorded<Exclude<PaymentEvent, { type: 'PaymentDeclined' | 'PaymentFailed' }>>,
  { position, isPast, isRejected }: Readonly<{ position: number; isPast: boolean; isRejected: boolean }>,
): void {
  const { payment } = order;
  const at = event.recorded_at;
  switch (event.type) {
    case 'PaymentPrepared': {
      const { provider, reference, key } = event.data;
      if (payment.is === 'asked') order.payment = { is: 'asked', prepared: { provider, reference, key } };
      return;
    }
    case 'PaymentAuthorised':
      order.payment = authorised(event.data, isPast);
      return;
    case 'PaymentCaptured':
      if (!isProvided(payment)) return;
      const { capture_failed: _, ...held } = payment;
      order.payment = { ...held, is: 'captured', captured_cents: event.data.amount_cents };
      return;
    case 'CaptureFailed':
      if (payment.is !== 'authorised') return;
      order.payment = { ...payment, ...(event.data.gone && { is: 'released' }), capture_failed: true };
      return;
    case 'PaymentReleased':
      if (!isProvided(payment)) return;
      order.payment = {
        ...payment,
        is: 'released',
        ...(payment.is === 'captured' && { released_how: event.data.how }),
      };
      return;
    case 'PaymentPartlyReleased':
      order.payment = partlyReleased(payment, event.data);
      return;
    case 'PaymentNotConfirmed':
      if (isProvided(payment)) order.payment = { ...payment, claim: 'not_confirmed' };
      return;
    case 'RefundRequested':
      order.refunds = [...order.refunds, newRefund(event, { position, n: order.refunds.length + 1, isRejected })];
      return;
    case 'RefundApproved':
      return change(order, event.data.refund_id, { state: 'pending', approved_by: event.data.approved_by });
    case 'RefundDeclined':
      return change(order, event.data.refund_id, { state: 'declined', settled_at: at });
    case 'RefundSent':
      return change(order, event.data.refund_id, { reference: event.data.reference });
    case 'RefundSucceeded':
      return change(order, event.data.refund_id, {
        state: 'succeeded',
        reference: event.data.reference,
        settled_at: at,
        succeeded_at: at,
        failure: null,
      });
    case 'RefundFailed':
      return change(order, event.data.refund_id, {
        state: 'failed',
        ...(event.data.reference !== null && { reference: event.data.reference }),
        settled_at: at,
        failure: event.data.reason,
      });
    case 'DisputeOpened':
      return disputeOpened(order, event, position);
    case 'DisputeEvidenceSent':
      return changeDispute(order, event.data.dispute_id, { state: 'sent', sent_at: at });
    case 'DisputeClosed':
      return changeDispute(order, event.data.dispute_id, { state: event.data.state, closed_at: at });
    case 'ProviderFeeCharged':
    case 'RemittanceMatched':
      order.booked = [...order.booked, event.data.reference];
      return;
  }
}

export function isProvided(payment: PaymentState): payment is ProvidedPayment {
  return payment.is === 'authorised' || payment.is === 'captured' || payment.is === 'released';
}

/** Versions before captures recorded no currency, and took the amount at once. */
function authorised(
  data: Extract<PaymentEvent, { type: 'PaymentAuthorised' }>['data'],
  isPast: boolean,
): ProvidedPayment {
  const { currency, capture_before = null, ...payment } = data;
  return {
    ...payment,
    is: currency === undefined ? 'captured' : 'authorised',
    currency: currency ?? 'USD',
    capture_before,
    captured_cents: currency === undefined ? payment.amount_cents : 0,
    ...(isPast && { claim: 'unchecked' }),
  };
}

function partlyReleased(
  payment: PaymentState,
  { how, amount_cents: cents }: Extract<PaymentEvent, { type: 'PaymentPartlyReleased' }>['data'],
): PaymentState {
  if (!isProvided(payment)) return payment;
  const returned = { ...payment, returned_cents: (payment.returned_cents ?? 0) + cents };
  if (how === 'refunded') return { ...returned, refunded_parts_cents: (payment.refunded_parts_cents ?? 0) + cents };
  return payment.is === 'authorised' ? returned : { ...returned, captured_cents: payment.captured_cents - cents };
}

function newRefund(
  { data, recorded_at: at }: Recorded<Extract<PaymentEvent, { type: 'RefundRequested' }>>,
  { position, n, isRejected }: Readonly<{ position: number; n: number; isRejected: boolean }>,
): Refund {
  const { refund_id: id, needs_approval: waits, reference = null, note: _, sealed_note: __, ...refund } = data;
  return {
    ...refund,
    id,
    n,
    state: waits ? 'waiting_for_approval' : 'pending',
    reference,
    of_rejection: isRejected && refund.origin !== 'provider',
    approved_by: null,
    position,
    created_at: at,
    settled_at: null,
    succeeded_at: null,
    failure: null,
  };
}

function change(order: Draft, id: string, to: Partial<Refund>): void {
  order.refunds = order.refunds.map((refund) => (refund.id === id ? { ...refund, ...to } : refund));
}

function disputeOpened(
  order: Draft,
  { data, recorded_at: at }: Recorded<Extract<PaymentEvent, { type: 'DisputeOpened' }>>,
  position: number,
): void {
  const { note: _, sealed_note: __, ...opened } = data;
  const known = order.disputes.find(({ dispute_id: id }) => id === data.dispute_id);
  const dispute = { ...opened, state: 'open', position, opened_at: at, sent_at: null, closed_at: null } as const;
  if (!known) order.disputes = [...order.disputes, dispute];
  else changeDispute(order, data.dispute_id, { ...opened, state: 'open', sent_at: null, closed_at: null });
}

function changeDispute(order: Draft, id: string, to: Partial<Dispute>): void {
  order.disputes = order.disputes.map((one) => (one.dispute_id === id ? { ...one, ...to } : one));
}
