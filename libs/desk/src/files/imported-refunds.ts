import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder } from '#domain/order-state';
import { openDispute, paymentAmounts } from '#domain/payment-amounts';
import type { RequestedRefund } from '#domain/payment-events';
import { isProvided, type Refund } from '#domain/payment-state';
import { refundedTickets } from '#domain/refund-amounts';

/** Why what an imported event says of a refund does not follow from the order before it, as `wrongMoney` does. */
export function wrongRefund(order: KnownOrder, event: OrderEvent): string | undefined {
  switch (event.type) {
    case 'RefundRequested':
      return wrongRequest(order, event.data);
    case 'RefundApproved':
    case 'RefundDeclined':
      return notIn(order, event.data.refund_id, ['waiting_for_approval']);
    case 'RefundSent':
    case 'RefundSucceeded':
      return notIn(order, event.data.refund_id, ['pending']);
    case 'RefundFailed':
      return notIn(order, event.data.refund_id, ['pending', 'succeeded']);
    default:
      return undefined;
  }
}

/** What was made at the provider has moved money, whatever the limits are. */
function wrongRequest(order: KnownOrder, refund: RequestedRefund): string | undefined {
  const { amount_cents: cents, origin, lines, currency, quantity } = refund;
  if (!isProvided(order.payment)) return 'refund_id: the order has no payment';
  if (order.refunds.some(({ id }) => id === refund.refund_id)) return 'refund_id: is that of another refund';
  if (currency !== order.payment.currency) return `currency: is not that of the payment, ${order.payment.currency}`;
  const borne = lines.reduce((sum, line) => sum + line.amount_cents, 0);
  if (borne !== cents) return `lines: ${borne} is not the amount of the refund, ${cents}`;
  if (origin === 'provider') return refund.reference === undefined ? 'reference: is missing' : undefined;
  if (origin === 'desk' && openDispute(order)) return 'refund_id: the payment was disputed';
  const { refundable } = paymentAmounts(order);
  if (cents > refundable) return `amount_cents: ${cents} is more than could be refunded, ${refundable}`;
  const tickets = order.purchase.product.quantity - refundedTickets(order);
  return (quantity ?? 0) > tickets ? `quantity: ${quantity} is more than the order's tickets, ${tickets}` : undefined;
}

function notIn({ refunds }: KnownOrder, refundId: string, states: readonly Refund['state'][]): string | undefined {
  const refund = refunds.find(({ id }) => id === refundId);
  if (!refund) return 'refund_id: is no refund of the order';
  return states.includes(refund.state) ? undefined : `refund_id: the refund is ${refund.state}`;
}
