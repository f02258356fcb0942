import type { RefundFact } from '../provider-events.js';
import { centsOf, type Refund } from './payments.js';
import { refundOutcome } from './refunds.js';

// Ours; a refund made at Braintree has its payment's order id.
const OUR_REFUND = /^rf_/;

export const refundIdOf = ({ orderId }: Refund): string | null =>
  orderId !== null && OUR_REFUND.test(orderId) ? orderId : null;

/** What is known of a refund. Undefined for one that belongs to no payment. */
export function refundFact(refund: Refund): RefundFact | undefined {
  const { refundedTransaction, amount } = refund;
  if (!refundedTransaction) return undefined;
  const outcome = refundOutcome(refund);
  return {
    is: 'refund',
    payment: refundedTransaction.id,
    orderId: refundedTransaction.orderId,
    reference: refund.id,
    refundId: refundIdOf(refund),
    amountCents: centsOf(amount),
    currency: amount.currencyCode,
    outcome: outcome.is,
    reason: outcome.is === 'failed' ? outcome.reason : null,
  };
}
