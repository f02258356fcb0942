import { type Dispute, isProvided, type Payments, type Refund } from './payment-state.js';

/** All in cents of the payment's currency. */
export type PaymentAmounts = Readonly<{
  authorised: number;
  captured: number;
  refunded: number;
  /** Refunds that are asked for and not made, those that wait for an approval among them. */
  pending: number;
  /** Those that wait for an approval. */
  waiting: number;
  /** What banks took back for good. */
  lost: number;
  refundable: number;
}>;

export function paymentAmounts({ payment, refunds, disputes }: Payments): PaymentAmounts {
  const provided = isProvided(payment) ? payment : undefined;
  const captured = provided?.captured_cents ?? 0;
  const earlier = provided?.released_how ? captured : (provided?.refunded_parts_cents ?? 0);
  const refunded = earlier + sumOf(refunds.filter(({ state }) => state === 'succeeded'));
  const pending = sumOf(refunds.filter(isOpenRefund));
  const waiting = sumOf(refunds.filter(({ state }) => state === 'waiting_for_approval'));
  const lost = sumOf(disputes.filter((dispute) => dispute.state === 'lost' && movesMoney(dispute)));
  return {
    authorised: provided?.amount_cents ?? 0,
    captured,
    refunded,
    pending,
    waiting,
    lost,
    refundable: Math.max(0, captured - refunded - pending - lost),
  };
}

/** In cents: what could be refunded if the refunds that wait for an approval gave way. */
export function returnableOf(order: Payments): number {
  const { captured, refunded, pending, waiting, lost } = paymentAmounts(order);
  return Math.max(0, captured - refunded - (pending - waiting) - lost);
}

/** In cents: what is held, or what could be refunded. */
export function moneyLeft(order: Payments): number {
  const { payment } = order;
  if (payment.is === 'authorised') return payment.amount_cents - (payment.returned_cents ?? 0);
  return payment.is === 'captured' ? returnableOf(order) : 0;
}

/** Asked for, and neither made nor given up. */
export function isOpenRefund({ state }: Refund): boolean {
  return state === 'pending' || state === 'waiting_for_approval';
}

/** Only a card's bank takes money back at once, and an inquiry only asks. */
export function movesMoney({ kind, inquiry }: Pick<Dispute, 'kind' | 'inquiry'>): boolean {
  return kind === 'card' && !inquiry;
}

/** While it is open, nothing may be refunded: the bank has the money. */
export function openDispute({ disputes }: Payments): Dispute | undefined {
  return disputes.find((one) => movesMoney(one) && isOpenDispute(one));
}

export function isOpenDispute({ state }: Dispute): boolean {
  return state === 'open' || state === 'sent';
}

export const PAYMENT_STATES = [
  'disputed',
  'charged_back',
  'refunded',
  'part_refunded',
  'captured',
  'voided',
  'authorised',
  'asked',
  'declined',
  'failed',
] as const;

/** The first of these that fits. Undefined without a payment. */
export function paymentStateOf(order: Payments): (typeof PAYMENT_STATES)[number] | undefined {
  const { payment } = order;
  if (payment.is === 'none') return undefined;
  if (payment.is === 'asked') return 'asked';
  if (payment.is === 'not_taken') return payment.how;
  const { captured, refunded, lost } = paymentAmounts(order);
  if (openDispute(order)) return 'disputed';
  if (lost > 0 && refunded + lost >= captured) return 'charged_back';
  if (payment.released_how === 'voided') return 'voided';
  if (captured > 0 && refunded >= captured) return 'refunded';
  if (refunded > 0) return 'part_refunded';
  if (payment.is === 'captured') return 'captured';
  return payment.is === 'released' ? 'voided' : 'authorised';
}

function sumOf(amounts: readonly Readonly<{ amount_cents: number }>[]): number {
  return amounts.reduce((sum, { amount_cents: cents }) => sum + cents, 0);
}

/** The new seller bears what open refunds would have taken from the earlier one. */
export function borneBy(refunds: readonly Refund[], seller: string): readonly Refund[] {
  return refunds.map((refund) => {
    if (!isOpenRefund(refund)) return refund;
    const lines = refund.lines.map((line) =>
      line.account.startsWith('seller:') ? { ...line, account: seller } : line,
    );
    return { ...refund, lines };
  });
}
