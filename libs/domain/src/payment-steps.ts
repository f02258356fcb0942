import { openDispute, returnableOf } from './payment-amounts.js';
import type { KnownOrder } from './order-state.js';

/**
 * What the worker does next about an order's money. `return`: decides what goes back. `refund_outcome`: the provider has the refund, and is
 * asked about it. `hold`: asks whether the provider still holds the amount.
 */
export type PaymentStep = Readonly<{
  step: 'capture' | 'void' | 'return' | 'refund' | 'refund_outcome' | 'hold';
  /** Counts the steps of the kind. With the order and the step it is the key under which the provider acts once. */
  n: number;
  /** From when on, ISO 8601. */
  at: string;
}>;

/** The codes that count as delivery: shipped, transferred, sent electronically. */
const DELIVERED = [2002, 2003, 2004];

export function nextPaymentStep(order: KnownOrder): PaymentStep | null {
  const { payment, updatedAt: at } = order;
  if (payment.is !== 'authorised' && payment.is !== 'captured') return null;
  if (payment.claim === 'not_confirmed') return null;
  if (payment.is === 'authorised') return heldStep(order, payment);
  const isDisputed = openDispute(order) !== undefined;
  const unsent = order.refunds.find(({ state, reference }) => state === 'pending' && reference === null);
  if (unsent && !isDisputed) return { step: 'refund', n: unsent.n, at: unsent.created_at };
  if (!isDisputed && returnDue(order) > 0) return { step: 'return', n: order.version, at };
  const sent = order.refunds.find(({ state, reference }) => state === 'pending' && reference !== null);
  return sent ? { step: 'refund_outcome', n: sent.n, at: sent.created_at } : null;
}

/**
 * In cents: what the order itself has to give back and has not asked for yet. It comes before refunds that wait for an approval. After a failed
 * refund that followed from a rejection a person decides.
 */
export function returnDue(order: KnownOrder): number {
  const returnable = returnableOf(order);
  if (order.status?.status !== 'rejected') return Math.min(returnable, order.differenceDue?.cents ?? 0);
  return order.refunds.some(({ of_rejection, state }) => of_rejection && state === 'failed') ? 0 : returnable;
}

type Held = Extract<KnownOrder['payment'], { is: 'authorised' | 'captured' | 'released' }>;

function heldStep(order: KnownOrder, payment: Held): PaymentStep | null {
  const at = order.updatedAt;
  if (order.status?.status === 'rejected') return { step: 'void', n: 1, at };
  if (order.status === null) return null;
  // Another amount needs another key.
  if (payment.capture_failed === undefined && captureIsDue(order))
    return { step: 'capture', n: 1 + (payment.returned_cents ?? 0), at };
  return payment.capture_before === null ? null : { step: 'hold', n: 1, at: payment.capture_before };
}

function captureIsDue({ purchase, statuses }: KnownOrder): boolean {
  const isDue = purchase.capture === 'delivery' ? isDelivery : isConfirmation;
  return statuses.some(({ status }) => isDue(status));
}

const isDelivery = ({ status_code: code }: KnownOrder['statuses'][number]['status']) => DELIVERED.includes(code);
const isConfirmation = ({ status }: KnownOrder['statuses'][number]['status']) => status === 'confirmed';
