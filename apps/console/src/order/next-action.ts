import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';

type NextAction = OrderDetail['delivery']['next_action'];

/** What brings an order on by hand; nothing for what others must do, or for a label, which has its button in the card Delivery. */
const DOES: Partial<Readonly<Record<NextAction, OrderAction['action']>>> = {
  upload_tickets: 'deliver',
  upload_links: 'deliver',
  enter_tracking: 'ship',
  transfer: 'transfer',
  retransfer: 'transfer',
  enter_barcodes: 'enter_barcodes',
  reenter_barcodes: 'enter_barcodes',
};

/**
 * The action that brings the order on: its button is filled, and one key opens it. Undefined where nothing is to be done.
 * @param allowed what the caller may do now, the likeliest first
 */
export function nextAction(
  { status, delivery }: OrderDetail,
  allowed: readonly OrderAction[],
): OrderAction | undefined {
  const { next_action: next, acts } = delivery;
  const does = allowed.find(({ action }) => action === DOES[next]);
  if (does) return does;
  if (next === 'confirm') return allowed.find(({ main }) => main);
  // The likeliest remedy of a problem.
  const isProblem = status?.status === 'exception' && acts === 'staff';
  return isProblem ? allowed.find(({ action }) => action === 'offer_replacement') : undefined;
}
