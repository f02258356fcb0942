import type { Caller } from '#accounts/caller';
import { dollarsOf } from '#domain/money';
import type { KnownOrder } from '#domain/order-state';
import { paymentAmounts } from '#domain/payment-amounts';
import { isProvided, type Refund as StoredRefund } from '#domain/payment-state';
import type { RefundShare } from '#domain/refund-amounts';
import { readsNoteOf } from '#orders/staff-remarks';
import type { Refund, RefundPreview } from '../refund.contract.js';

/** @param notes the order's notes by the positions of their events, opened */
export function shownRefund(refund: StoredRefund, notes: ReadonlyMap<number, string>, caller: Caller): Refund {
  const { id, reference, state, quantity, reason, origin, currency, position, ...rest } = refund;
  const { amount_cents: cents, requested_by, approved_by, created_at, settled_at, failure } = rest;
  const note = readsNoteOf(requested_by, caller) ? (notes.get(position) ?? null) : null;
  const asked = { amount: dollarsOf(cents), currency, quantity, reason, note, origin, requested_by, approved_by };
  return { id, reference, state, ...asked, created_at, settled_at, failure };
}

/** @param needsApproval whether another person would have to approve it */
export function shownPreview(order: KnownOrder, share: RefundShare, needsApproval: boolean): RefundPreview {
  const { payment, purchase } = order;
  if (!isProvided(payment) || !purchase.payment) throw new Error('Only a payment that was captured has a preview.');
  const { type, brand, last_four } = purchase.payment;
  return {
    amount: dollarsOf(share.amount_cents),
    currency: payment.currency,
    refundable_after: dollarsOf(paymentAmounts(order).refundable - share.amount_cents),
    to: { provider: payment.provider, type, brand, last_four },
    needs_approval: needsApproval,
    lines: share.lines.map(({ account, amount_cents: cents }) => ({ account, amount: dollarsOf(cents) })),
  };
}
