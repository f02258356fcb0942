import type { DeliveryState } from './delivery-state.js';
import type { NextAction } from './next-action.js';
import { isStatusEvent, type OrderEvent, type ReceivedPurchase } from './order-events.js';
import type { PaymentState } from './payment-state.js';

/** The worker acts on it from `at` on. */
export type Deadline = Readonly<{
  for: 'payment_outcome' | 'confirmation' | 'replacement' | 'transfer';
  at: string;
}>;

type TimedOrder = Readonly<{
  payment: PaymentState;
  purchase: ReceivedPurchase;
  deadline: Deadline | null;
  replacement: Readonly<{ state: string; expires_at: string }> | null;
  delivery: DeliveryState;
  next: NextAction;
}>;

/** @param order the state after the event, still with the previous deadline. */
export function deadlineAfter(
  event: OrderEvent & Readonly<{ recorded_at: string }>,
  order: TimedOrder,
): Deadline | null {
  const { payment, purchase, deadline, replacement } = order;
  const at = event.recorded_at;
  if (payment.is === 'asked') return deadline;
  if (replacement?.state === 'open') return { for: 'replacement', at: replacement.expires_at };
  const minutes = purchase.confirm_within_minutes;
  if (event.type === 'OrderPending' && minutes !== null) {
    return { for: 'confirmation', at: new Date(Date.parse(at) + minutes * 60_000).toISOString() };
  }
  if (order.next.action === 'wait_for_acceptance' && order.next.queue === 'waiting') {
    // The wait began with the last seat that was sent.
    const open = order.delivery.transfers.filter(({ state }) => state === 'sent').map(({ accept_by }) => accept_by);
    return { for: 'transfer', at: open.toSorted().at(-1) ?? at };
  }
  // An event without a status does not move the deadline.
  return deadline?.for === 'confirmation' && !isStatusEvent(event) ? deadline : null;
}
