import { isOpenDispute, paymentAmounts, paymentStateOf } from '#domain/payment-amounts';
import { isProvided } from '#domain/payment-state';
import type { KnownOrder } from '#domain/order-state';

/** Amounts are cents of `currency`. */
export type PaymentProgress = {
  state: NonNullable<ReturnType<typeof paymentStateOf>>;
  provider: string | null;
  reference: string | null;
  reason: string | null;
  currency: string;
  authorised_cents: number;
  captured_cents: number;
  refunded_cents: number;
  pending_refunds_cents: number;
  refundable_cents: number;
  capture_before: string | null;
  dispute: Readonly<{ id: string; state: string; amount_cents: number; due_at: string | null }> | null;
  /** For cheaper tickets: given back, and about to be. Missing for none. */
  returned_cents?: number;
  return_due_cents?: number;
};

/**
 * What rows of versions before captures have: `authorised` money counts as captured, and `released` money is voided or refunded. Rows stay so
 * until something happens to the money.
 */
export type EarlierPaymentProgress = Readonly<{
  state: 'asked' | 'authorised' | 'declined' | 'failed' | 'released';
  provider: string | null;
  reference: string | null;
  reason: string | null;
  returned_cents?: number;
  return_due_cents?: number;
}>;

/** The payment of an order's row. One of a version before captures keeps the form that this version's rows have. */
export function paymentProgress(order: KnownOrder): PaymentProgress | EarlierPaymentProgress {
  const { payment, purchase, refunds, disputes } = order;
  const isEarlier = purchase.currency === undefined && refunds.length === 0 && disputes.length === 0;
  if (isEarlier && !(isProvided(payment) && payment.is === 'authorised')) return earlierProgress(order);
  const { authorised, captured, refunded, pending, refundable } = paymentAmounts(order);
  const provided = isProvided(payment) ? payment : undefined;
  return {
    state: paymentStateOf(order) ?? 'asked',
    provider: providerOf(payment),
    reference: provided?.reference ?? (payment.is === 'asked' ? (payment.prepared?.reference ?? null) : null),
    reason: payment.is === 'not_taken' ? payment.reason : null,
    currency: provided?.currency ?? purchase.currency ?? 'USD',
    authorised_cents: authorised,
    captured_cents: captured,
    refunded_cents: refunded,
    pending_refunds_cents: pending,
    refundable_cents: refundable,
    capture_before: provided?.is === 'authorised' ? provided.capture_before : null,
    dispute: disputeOf(order),
    ...returnsOf(order),
  };
}

function providerOf(payment: KnownOrder['payment']): string | null {
  if (payment.is === 'asked') return payment.prepared?.provider ?? null;
  return payment.is === 'none' ? null : payment.provider;
}

/** The open one, else the last one. */
function disputeOf({ disputes }: KnownOrder): PaymentProgress['dispute'] {
  const dispute = disputes.find((one) => isOpenDispute(one)) ?? disputes.at(-1);
  return dispute
    ? { id: dispute.dispute_id, state: dispute.state, amount_cents: dispute.amount_cents, due_at: dispute.due_at }
    : null;
}

/** What went back for cheaper tickets: refunds of an order that was not rejected when they were asked for, and parts that were not taken. */
function returnsOf(order: KnownOrder): Pick<PaymentProgress, 'returned_cents' | 'return_due_cents'> {
  const { payment, refunds, differenceDue } = order;
  const isForTickets = order.replacement?.state === 'accepted' && order.status?.status !== 'rejected';
  const own = isForTickets ? refunds.filter(({ origin }) => origin === 'order') : [];
  const sum = (state: string) => own.reduce((cents, one) => cents + (one.state === state ? one.amount_cents : 0), 0);
  const returned = (isProvided(payment) ? (payment.returned_cents ?? 0) : 0) + sum('succeeded');
  const due = (isProvided(payment) ? (differenceDue?.cents ?? 0) : 0) + sum('pending');
  return { ...(returned > 0 && { returned_cents: returned }), ...(due > 0 && { return_due_cents: due }) };
}

function earlierProgress({ payment, differenceDue }: KnownOrder): EarlierPaymentProgress {
  const unknown = { provider: null, reference: null, reason: null };
  if (payment.is === 'none' || payment.is === 'asked') return { state: 'asked', ...unknown };
  if (payment.is === 'not_taken') {
    return { state: payment.how, ...unknown, provider: payment.provider, reason: payment.reason };
  }
  const { provider, reference, returned_cents } = payment;
  return {
    state: payment.is === 'released' ? 'released' : 'authorised',
    ...unknown,
    provider,
    reference,
    ...(returned_cents !== undefined && { returned_cents }),
    ...(payment.is === 'captured' && differenceDue && { return_due_cents: differenceDue.cents }),
  };
}

/** The same in the form of today. `refunded`: whether released money was refunded, and not voided. */
export function completedProgress(
  payment: PaymentProgress | EarlierPaymentProgress,
  { totalCents, refunded }: Readonly<{ totalCents: number; refunded: boolean }>,
): PaymentProgress {
  if ('currency' in payment) return payment;
  const { state } = payment;
  const isTaken = state === 'authorised' || (state === 'released' && refunded);
  const released = refunded ? 'refunded' : 'voided';
  return {
    ...payment,
    state: state === 'authorised' ? 'captured' : state === 'released' ? released : state,
    currency: 'USD',
    authorised_cents: isTaken ? totalCents : 0,
    captured_cents: isTaken ? totalCents : 0,
    refunded_cents: isTaken && state === 'released' ? totalCents : 0,
    pending_refunds_cents: 0,
    refundable_cents: state === 'authorised' ? totalCents : 0,
    capture_before: null,
    dispute: null,
  };
}
