import { type DomainError, domainError } from './domain-error.js';
import type { DecidedEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { isOpenRefund, openDispute, paymentAmounts, returnableOf } from './payment-amounts.js';
import type { PaymentEvent, RefundReason, RequestedRefund } from './payment-events.js';
import { isProvided, type Refund } from './payment-state.js';
import { refundOfAmount, refundOfTickets, type RefundShare } from './refund-amounts.js';

/** What is asked for: an amount in cents, or tickets. `keepFees`: price and tax of the tickets only. */
export type RefundAsked =
  | Readonly<{ amountCents: number; reason: RefundReason }>
  | Readonly<{ quantity: number; keepFees: boolean; reason: RefundReason }>;

/** What the provider says of a refund. `reference` is the provider's. */
export type RefundResult =
  | Readonly<{ is: 'pending' | 'succeeded'; reference: string }>
  | Readonly<{ is: 'failed'; reference: string | null; reason: string }>;

/** Of a refund that was made at the provider, which therefore has a reference. */
export type ProviderRefundResult =
  | Extract<RefundResult, { is: 'pending' | 'succeeded' }>
  | Readonly<{ is: 'failed'; reference: string; reason: string }>;

export type RefundCommand =
  /** Asked again with the same `refundId`, it changes nothing. */
  | {
      type: 'RequestRefund';
      refundId: string;
      asked: RefundAsked;
      requestedBy: string;
      /** In cents: from so much on, the order's refunds by staff together need another person. 0: always. */
      approvalFromCents: number;
      note?: string;
    }
  | { type: 'ApproveRefund' | 'DeclineRefund'; refundId: string; by: string; note?: string }
  | { type: 'RecordRefund'; refundId: string; result: RefundResult }
  /** It was made at the provider itself. `refundId` is a new one, for the first time that we hear of it. */
  | {
      type: 'RecordProviderRefund';
      refundId: string;
      amountCents: number;
      result: ProviderRefundResult;
    };

export function decideRefund(command: RefundCommand, order: KnownOrder): readonly DecidedEvent[] | DomainError {
  switch (command.type) {
    case 'RequestRefund':
      return requestRefund(command, order);
    case 'ApproveRefund':
    case 'DeclineRefund':
      return answerRefund(command, order);
    case 'RecordRefund': {
      const refund = order.refunds.find(({ id }) => id === command.refundId);
      return refund ? resultEvents(refund, ownResult(refund, command.result, order)) : [];
    }
    case 'RecordProviderRefund':
      return recordProviderRefund(command, order);
  }
}

/** What a refund would take, and from whom; or why there can be none. */
export function refundPreview(order: KnownOrder, asked: RefundAsked): RefundShare | DomainError {
  const { refundable } = paymentAmounts(order);
  const refusal = refusalOfAll(order);
  if (refusal) return refusal;
  const share =
    'quantity' in asked
      ? refundOfTickets(order, asked.quantity, asked)
      : refundOfAmount(order, asked.amountCents, asked.reason);
  return share && share.amount_cents <= refundable && share.amount_cents > 0 ? share : notRefundable(refundable);
}

/** Why nothing of the payment can be refunded now. */
function refusalOfAll(order: KnownOrder): DomainError | undefined {
  const isClaim = isProvided(order.payment) && order.payment.claim === 'not_confirmed';
  if (paymentAmounts(order).captured === 0 || isClaim) {
    return domainError('NOTHING_CAPTURED', 'Nothing was captured that could be refunded.');
  }
  if (!openDispute(order)) return undefined;
  return domainError(
    'DISPUTE_OPEN',
    'The payment is disputed, and its bank has the money: nothing can be refunded until that is over.',
  );
}

/** Whether so much more needs a second person. Both in cents. */
export function needsApproval({ refunds }: KnownOrder, cents: number, fromCents: number): boolean {
  const byStaff = refunds.filter((one) => one.origin === 'desk' && (isOpenRefund(one) || one.state === 'succeeded'));
  return byStaff.reduce((sum, { amount_cents }) => sum + amount_cents, cents) >= fromCents;
}

function requestRefund(
  { refundId, asked, requestedBy, approvalFromCents, note }: Extract<RefundCommand, { type: 'RequestRefund' }>,
  order: KnownOrder,
): readonly DecidedEvent[] | DomainError {
  if (order.refunds.some(({ id }) => id === refundId)) return [];
  const share = refundPreview(order, asked);
  if (share instanceof Error) return share;
  const data: RequestedRefund = {
    ...share,
    refund_id: refundId,
    currency: currencyOf(order),
    quantity: 'quantity' in asked ? asked.quantity : null,
    reason: asked.reason,
    origin: 'desk',
    requested_by: requestedBy,
    needs_approval: needsApproval(order, share.amount_cents, approvalFromCents),
  };
  return [{ type: 'RefundRequested', data: withNote(data, note) }];
}

function answerRefund(
  { type, refundId: refund_id, by, note }: Extract<RefundCommand, { by: string }>,
  order: KnownOrder,
): readonly DecidedEvent[] | DomainError {
  const refund = order.refunds.find(({ id }) => id === refund_id);
  if (!refund) return domainError('REFUND_UNKNOWN', 'There is no such refund.');
  if (refund.state !== 'waiting_for_approval')
    return domainError('CONFLICT', 'The refund does not wait for an approval.');
  if (type === 'DeclineRefund')
    return [{ type: 'RefundDeclined', data: withNote({ refund_id, declined_by: by }, note) }];
  if (refund.requested_by === by) return domainError('NEEDS_OTHER_PERSON', 'Another person must approve the refund.');
  const refusal = refusalOfAll(order);
  if (refusal) return refusal;
  // The provider or a bank may have given money back while it waited.
  const { captured, refunded, pending, lost } = paymentAmounts(order);
  const refundable = Math.max(0, captured - refunded - (pending - refund.amount_cents) - lost);
  if (refund.amount_cents > refundable) return notRefundable(refundable);
  return [{ type: 'RefundApproved', data: withNote({ refund_id, approved_by: by }, note) }];
}

/**
 * Where the answer to our call was lost, the provider's own event may have come first, without our id: then that refund is recorded already.
 * The same money must not be recorded twice.
 */
function ownResult({ id }: Refund, result: RefundResult, { refunds }: KnownOrder): RefundResult {
  const isOthers = refunds.some(
    (other) => other.id !== id && other.reference === result.reference && other.state !== 'failed',
  );
  if (result.is === 'failed' || !isOthers) return result;
  const reason = `The provider made it as ${result.reference}, which is recorded already.`;
  return { is: 'failed', reference: null, reason };
}

/** None if the result is known already. A refund can fail after it succeeded, but nothing else changes its end. */
function resultEvents(
  { id: refund_id, state, reference: known }: Refund,
  result: RefundResult,
): readonly DecidedEvent[] {
  const { reference } = result;
  if (result.is === 'failed') {
    const isNews = state === 'pending' || state === 'succeeded';
    return isNews ? [{ type: 'RefundFailed', data: { refund_id, reference, reason: result.reason } }] : [];
  }
  if (state !== 'pending' || reference === null) return [];
  if (result.is === 'succeeded') return [{ type: 'RefundSucceeded', data: { refund_id, reference } }];
  return known === null ? [{ type: 'RefundSent', data: { refund_id, reference } }] : [];
}

/** Its limits are not checked, because the money has moved. */
function recordProviderRefund(
  { refundId, amountCents, result }: Extract<RefundCommand, { type: 'RecordProviderRefund' }>,
  order: KnownOrder,
): readonly DecidedEvent[] {
  const { reference } = result;
  const known = order.refunds.find((refund) => refund.reference === reference);
  if (known) return resultEvents(known, result);
  if (!isProvided(order.payment)) return [];
  const data: RequestedRefund = {
    ...refundOfAmount(order, amountCents, 'other'),
    refund_id: refundId,
    currency: currencyOf(order),
    quantity: null,
    reason: 'other',
    origin: 'provider',
    requested_by: `provider:${order.payment.provider}`,
    needs_approval: false,
    reference,
  };
  const requested = { type: 'RefundRequested', data } as const;
  if (result.is === 'failed') {
    return [requested, { type: 'RefundFailed', data: { refund_id: refundId, reference, reason: result.reason } }];
  }
  const made = { type: 'RefundSucceeded', data: { refund_id: refundId, reference } } as const;
  return result.is === 'succeeded' ? [requested, made] : [requested];
}

/**
 * Staff end the order, and all that can go back goes back with it. None if nothing was captured, or while only the worker can tell what can
 * go back: it then decides itself.
 */
export function refundOfTheRest(
  order: KnownOrder,
  { refundId, requestedBy, reason }: Readonly<{ refundId: string; requestedBy: string; reason: RefundReason }>,
): readonly MoneyGoesBack[] {
  const { payment } = order;
  const returnable = returnableOf(order);
  if (!isProvided(payment) || payment.claim !== undefined || returnable === 0 || openDispute(order)) return [];
  const data: RequestedRefund = {
    ...refundOfAmount(order, returnable, reason),
    refund_id: refundId,
    currency: payment.currency,
    quantity: null,
    reason,
    origin: 'desk',
    requested_by: requestedBy,
    needs_approval: false,
  };
  return [...declinedBeyond(order, 0, requestedBy), { type: 'RefundRequested', data }];
}

type MoneyGoesBack = Extract<PaymentEvent, { type: 'RefundRequested' | 'RefundDeclined' }>;

/** Refunds that the provider has not got, and never will. */
export function failedUnsent(
  { refunds }: KnownOrder,
  reason: string,
): readonly Extract<PaymentEvent, { type: 'RefundFailed' }>[] {
  const unsent = refunds.filter((refund) => refund.state === 'pending' && refund.reference === null);
  return unsent.map(({ id: refund_id }) => ({ type: 'RefundFailed', data: { refund_id, reference: null, reason } }));
}

/** Refunds that wait for an approval give way, oldest last, until the others fit into what is left, in cents. */
export function declinedBeyond(
  { refunds }: KnownOrder,
  leftCents: number,
  declined_by: string,
): readonly Extract<PaymentEvent, { type: 'RefundDeclined' }>[] {
  let left = leftCents;
  return refunds.flatMap(({ id: refund_id, state, amount_cents: amount }) => {
    if (state !== 'waiting_for_approval') return [];
    if (amount > left) return [{ type: 'RefundDeclined', data: { refund_id, declined_by } } as const];
    left -= amount;
    return [];
  });
}

function currencyOf({ payment, purchase }: KnownOrder): string {
  return isProvided(payment) ? payment.currency : (purchase.currency ?? 'USD');
}

const notRefundable = (cents: number) =>
  domainError('NOT_REFUNDABLE', `Only ${(cents / 100).toFixed(2)} can still be refunded.`);

function withNote<T extends object>(data: T, note: string | undefined): T & { note?: string } {
  return note === undefined ? data : { ...data, note };
}
