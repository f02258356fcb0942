import type { TimelineEntry } from '#desk/timeline.contract';
import type { OrderDetail } from '#orders/order.contract';
import { minuteTime, money } from '../words/formats.js';
import { cardText } from './payment-source.js';
import { paymentWords as words } from './payment-words.js';

type Payment = NonNullable<OrderDetail['payment']>;

/**
 * What became of the buyer's money, one sentence a movement, oldest first.
 * @param entries what the timeline has of the order so far; it knows the days
 * @param now in milliseconds
 */
export function paymentSentences(payment: Payment, entries: readonly TimelineEntry[], now: number): string[] {
  const card = cardText(payment);
  const amount = (value: number) => money(value, payment.currency);
  const when = (type: string) => {
    const entry = entries.find(({ detail }) => detail['type'] === type);
    return entry && minuteTime(entry.at, now);
  };
  const { state, authorised, captured, refunded, pending_refunds: pending } = payment;
  const refunds = settledRefunds(entries);
  const undated = refunded - refunds.reduce((sum, refund) => sum + refund.amount, 0);
  return [
    ...(captured > 0 ? [joined(words.taken(amount(captured), card), when('PaymentCaptured'))] : []),
    ...(state === 'authorised'
      ? [joined(words.held(amount(authorised), card), when('PaymentAuthorised'), words.notTaken)]
      : []),
    ...(state === 'voided' ? [joined(words.voided(amount(authorised)), when('PaymentReleased'), words.neverLeft)] : []),
    ...(state === 'asked' ? [words.asked] : []),
    ...(state === 'declined' || state === 'failed' ? [words.notCharged[state]] : []),
    ...refunds.map((refund) =>
      joined(words.refundedOn(amount(refund.amount), minuteTime(refund.at, now), card), words.slow),
    ),
    // Earlier than what the timeline has read, or recorded by an earlier version.
    ...(undated > 0.004 ? [joined(words.refunded(amount(undated), card), words.slow)] : []),
    ...(pending > 0 ? [words.pending(amount(pending))] : []),
  ];
}

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' · ');

/** Oldest first. */
function settledRefunds(entries: readonly TimelineEntry[]): Readonly<{ amount: number; at: string }>[] {
  const asked = entries.filter(({ detail }) => detail['type'] === 'RefundRequested');
  const failed = idsOf(entries, 'RefundFailed');
  const made = entries.filter(({ detail }) => detail['type'] === 'RefundSucceeded' && !failed.has(detail['refund_id']));
  return made.toReversed().flatMap(({ at, detail }) => {
    const cents = asked.find((entry) => entry.detail['refund_id'] === detail['refund_id'])?.detail['amount_cents'];
    return typeof cents === 'number' ? [{ amount: cents / 100, at }] : [];
  });
}

function idsOf(entries: readonly TimelineEntry[], type: string): ReadonlySet<unknown> {
  return new Set(entries.filter(({ detail }) => detail['type'] === type).map(({ detail }) => detail['refund_id']));
}
